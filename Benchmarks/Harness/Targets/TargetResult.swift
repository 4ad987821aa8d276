/// What a run found out about a ``Target``.
struct TargetResult: Codable, Equatable, Sendable {
  let work: String
  let promise: String
  let bound: Bound
  let unit: String
  /// `nil` where the run did not measure it, or the platform does not tell.
  let measured: Double?
  /// Whether it stands in the short table.
  var isHeadline = false
  /// Nanoseconds per operation of what the claim is about, and of what it is compared with.
  var subjectTime: Double? = nil
  var yardstickTime: Double? = nil
  /// Whether what it was computed from says itself that it is not to be trusted.
  var isUnsteady = false
  /// What each run measured, in order, where the first fell short and others were asked.
  var series: [Double]? = nil

  enum Verdict: String {
    case holds
    case fallsShort = "FALLS SHORT"
    case notMeasured = "not measured"
  }

  var verdict: Verdict {
    guard let measured else { return .notMeasured }
    return bound.admits(measured) ? .holds : .fallsShort
  }

  /// What several runs say together: the middle of what they measured. With an even number of them, the worse of the two.
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
