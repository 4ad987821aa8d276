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

  enum Verdict: String {
    case holds
    case fallsShort = "FALLS SHORT"
    case notMeasured = "not measured"
  }

  var verdict: Verdict {
    guard let measured else { return .notMeasured }
    return bound.admits(measured) ? .holds : .fallsShort
  }
}
