public import Foundation

/// No order of the calls explains their responses.
public struct NotLinearizableError: Error, Equatable {
  /// The calls, one in each line, in the order in which they began.
  public let history: String

  /// Creates an error that shows a history.
  public init(history: String) {
    self.history = history
  }
}

extension NotLinearizableError: LocalizedError, CustomStringConvertible {
  public var description: String { "No order of these calls explains their responses:\n\(history)" }

  public var errorDescription: String? { description }
}
