public import Foundation

/// The reason that a ``ViewModelProbe`` failed a test.
public enum ProbeError: Error, Equatable {
  /// The stream delivered another value than the expected one. A line for each field that differs.
  case unexpected([String])
  /// The expected value did not arrive. A line for each field in which the last value differs.
  case missing([String])
  /// The test ended, and did not mention these things. A line for each of them.
  case leftovers([String])
}

extension ProbeError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unexpected(let lines): Self.list("The next value is not the expected one:", lines)
    case .missing(let lines): Self.list("The expected value did not arrive:", lines)
    case .leftovers(let lines): Self.list("The test did not mention:", lines)
    }
  }

  public var errorDescription: String? { description }

  private static func list(_ title: String, _ lines: [String]) -> String {
    ([title] + lines).joined(separator: "\n- ")
  }
}
