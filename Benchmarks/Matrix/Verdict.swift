/// How a stage came through a probe.
enum Verdict: String, Codable, Sendable {
  case works
  /// It works within a limit, which the finding states.
  case limited
  /// It does not work.
  case fails

  /// What stands for it in a table.
  var symbol: String {
    switch self {
    case .works: "✓"
    case .limited: "~"
    case .fails: "✗"
    }
  }

  static let legend = "✓ works · ~ works with the limit that is stated · ✗ does not"
}
