/// The progress of a run.
struct RunProgress: Equatable, Sendable {
  /// The section that the run measures now, and its number in the order of the sections.
  let section: String
  let sectionNumber: Int
  /// What the run measures now.
  let work: String
  /// The number of finished groups.
  let finished: Int
  /// The number of all groups.
  let total: Int
  let elapsed: Duration
  let remaining: Duration

  /// The elapsed part of the estimated time, from 0 to 1.
  private var fraction: Double {
    let whole = elapsed.nanoseconds + remaining.nanoseconds
    return whole > 0 ? elapsed.nanoseconds / whole : 1
  }

  private static let width = 78

  /// The progress in one line of a terminal with 80 columns.
  var line: String {
    let end = "  \(Quantity.wait(remaining)) left"
    let start = "\(Quantity.percentage(fraction))  "
    let room = Self.width - start.count - end.count
    return start + (work.count <= room ? work : work.prefix(max(0, room - 1)) + "…") + end
  }

  /// The progress in a log, which gets one line for each section.
  var logLine: String { "[\(finished + 1)/\(total)] \(section), \(Quantity.wait(remaining)) left" }
}
