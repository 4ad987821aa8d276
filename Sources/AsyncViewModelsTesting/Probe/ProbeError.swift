public import Foundation

/// The reason that a ``ViewModelProbe`` failed a test.
public enum ProbeError: Error, Equatable {
  /// The stream delivered another value than the expected one at this place, such as
  /// `Tests/NewsTests.swift:12`. A line for each field that differs.
  case unexpected([String], at: String)
  /// The value expected at this place did not arrive. A line for each field in which the last value
  /// differs.
  case missing([String], at: String)
  /// The test ended, and did not mention these things. A line for each of them.
  case leftovers([String])
}

extension ProbeError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unexpected(let lines, let place):
      Self.list("The next value is not the one expected at \(place):", lines)
    case .missing(let lines, let place):
      Self.list("The value expected at \(place) did not arrive:", lines)
    case .leftovers(let lines): Self.list("The test did not mention:", lines)
    }
  }

  public var errorDescription: String? { description }

  private static func list(_ title: String, _ lines: [String]) -> String {
    ([title] + lines).joined(separator: "\n- ")
  }
}
