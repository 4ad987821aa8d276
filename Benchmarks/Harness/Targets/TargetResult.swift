/// What a run says about a ``Target``.
struct TargetResult: Codable, Equatable, Sendable {
  let work: String
  let promise: String
  let bound: Bound
  let unit: String
  /// The measured number. `nil` if the run did not measure the target, or the platform does not report the number.
  let measured: Double?
  /// The section of the reports to which the target belongs.
  var section: String? = nil
  /// The row of the target in the summary; `nil` if the summary lacks the target.
  var headline: Headline? = nil
  /// Whether the target is a goal that is not reached yet. `nil` in the results of earlier versions.
  var isGoal: Bool? = nil
  /// The figures of which `measured` is the ratio; `nil` if it is no ratio of two figures.
  var contrast: Contrast? = nil
  /// Whether `measured` is computed from an unsteady variant.
  var isUnsteady = false
  /// All measured numbers, in order, if the first fell short and the run measured the target again.
  var series: [Double]? = nil

  /// The mark of an unsteady number, which reads as "about".
  var mark: String { isUnsteady ? "~ " : "" }

  enum Verdict: String {
    case holds
    case fallsShort = "FALLS SHORT"
    /// The verdict of a goal that falls short.
    case notReached = "not reached"
    case notMeasured = "not measured"
  }

  var verdict: Verdict {
    guard let measured else { return .notMeasured }
    return bound.admits(measured) ? .holds : isGoal == true ? .notReached : .fallsShort
  }

  /// Splits the targets where their section changes.
  static func sections(of targets: [TargetResult]) -> [(title: String?, targets: [TargetResult])] {
    targets.reduce(into: []) { sections, target in
      if let last = sections.last, last.title == target.section {
        sections[sections.count - 1].targets.append(target)
      } else {
        sections.append((target.section, [target]))
      }
    }
  }

  /// The median of several results or, of an even number of results, the worse of the two in the middle.
  static func middle(of results: [TargetResult]) -> TargetResult {
    precondition(!results.isEmpty, "the middle of no results")
    let measured = results.filter { $0.measured != nil }
    guard measured.count > 1 else { return measured.first ?? results[0] }
    let bound = results[0].bound
    // From the best to the worst.
    let sorted = measured.sorted { left, right in
      let (left, right) = (left.measured ?? 0, right.measured ?? 0)
      return if case .atMost = bound { left < right } else { left > right }
    }
    var middle = sorted[sorted.count / 2]
    middle.series = measured.compactMap(\.measured)
    return middle
  }
}
