/// What a run found out about a ``Target``.
struct TargetResult: Codable, Equatable, Sendable {
  let work: String
  let promise: String
  let bound: Bound
  let unit: String
  /// `nil` where the run did not measure it, or the platform does not tell.
  let measured: Double?

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
