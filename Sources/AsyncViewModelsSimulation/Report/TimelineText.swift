import Foundation

/// Formats a timeline as text, with one line for the steps in which a task ran, and their events
/// below. A mark shows the choices that differ from the default order.
struct TimelineText {
  private let name: (Int) -> String
  private static let maximumLines = 60

  init(name: @escaping (Int) -> String) { self.name = name }

  func lines(of timeline: Timeline) -> [String] {
    let lines = grouped(timeline.entries).map { group in
      let entry = timeline.entries[group.lowerBound]
      return (
        label: label(of: group, in: timeline.entries), entry: entry,
        text: text(of: entry, in: functions(of: timeline.entries[group]))
      )
    }
    let width = lines.map(\.label.count).max() ?? 0
    let texts = lines.map { line in
      (line.entry.isTurn ? "▸ " : "  ") + line.label.padding(toLength: width, withPad: " ", startingAt: 0)
        + "  "
        + line.text
    }
    guard texts.count > Self.maximumLines else { return texts }
    return ["… \(texts.count - Self.maximumLines) lines omitted"] + texts.suffix(Self.maximumLines)
  }

  /// The ranges of the entries that form a line: the steps of one task in a row, without a turn or
  /// another event between them.
  private func grouped(_ entries: [Timeline.Entry]) -> [Range<Int>] {
    let starts = entries.indices.filter { $0 == 0 || !isContinuation(entries[$0], of: entries[$0 - 1]) }
    return zip(starts, starts.dropFirst() + [entries.count]).map { $0..<$1 }
  }

  private func isContinuation(_ entry: Timeline.Entry, of earlier: Timeline.Entry) -> Bool {
    entry.isStep && earlier.isStep && entry.task == earlier.task && !entry.isTurn
  }

  /// The numbers of the steps of a line.
  private func label(of group: Range<Int>, in entries: [Timeline.Entry]) -> String {
    let (first, last) = (entries[group.lowerBound], entries[group.upperBound - 1])
    guard first.isStep else { return "" }
    return first.step == last.step ? "\(first.step)" : "\(first.step)–\(last.step)"
  }

  /// The functions that the steps of a line run, in their order, as text.
  private func functions(of entries: ArraySlice<Timeline.Entry>) -> String {
    var names: [String] = []
    for name in entries.lazy.compactMap(\.function) where name != names.last { names.append(name) }
    return names.isEmpty ? "" : " in " + names.joined(separator: ", then ")
  }

  private func text(of entry: Timeline.Entry, in functions: String) -> String {
    switch entry.event {
    case .created(let task): "· \(name(task)) is ready to start"
    case .ran(let task, let others, let preferred):
      "\(name(task)) runs\(functions)"
        + (preferred.map { ", not \(name($0))" }
          ?? (others.isEmpty ? "" : "   (also ready: \(names(others)))"))
    case .chose(let index, let count, let task): "· \(name(task)) chooses \(index) of 0..<\(count)"
    case .said(let text, let task, _): "· \(name(task)): \(text)"
    case .timeMoved(let isTurn):
      "— time advances\(isTurn ? " over several deadlines" : "") to \(entry.time) —"
    case .repeated(let steps, let times): Self.repetition(of: steps, times: times, until: entry.step)
    case .failed(let reason): "✗ \(reason)"
    }
  }

  static func repetition(of steps: ClosedRange<Int>, times: Int, until end: Int) -> String {
    let steps =
      steps.count == 1
      ? "step \(steps.lowerBound) repeats" : "steps \(steps.lowerBound) to \(steps.upperBound) repeat"
    return "— \(steps) \(times) times, until step \(end) —"
  }

  private func names(_ tasks: [Int]) -> String { tasks.map(name).joined(separator: ", ") }
}
