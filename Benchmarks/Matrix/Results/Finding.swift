/// What a probe finds out about one stage: a verdict and the number behind it.
struct Finding: Codable, Equatable, Sendable {
  enum Verdict: String, Codable, Sendable {
    case works
    /// The stage works within a limit, which the finding states.
    case limited
    case fails

    var symbol: String {
      switch self {
      case .works: "✓"
      case .limited: "~"
      case .fails: "✗"
      }
    }

    static let legend = "✓ works · ~ works within the stated limit · ✗ does not work"
  }

  let verdict: Verdict
  let number: String

  init(_ verdict: Verdict, _ number: String) {
    self.verdict = verdict
    self.number = number
  }
}

extension Finding: CustomStringConvertible {
  var description: String { "\(verdict.symbol) \(number)" }
}
