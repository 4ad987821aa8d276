public import Foundation

/// The error of a stream that ended without the awaited element.
public struct StreamFinishedEarly: Error, Equatable {
  /// Descriptions of all elements of the stream, in order.
  public let recorded: [String]

  /// Creates an error with the descriptions of the elements.
  public init(recorded: [String]) {
    self.recorded = recorded
  }
}

extension StreamFinishedEarly: LocalizedError, CustomStringConvertible {
  public var description: String {
    "The stream ended without the awaited element, after \(recorded.count) elements: \(recorded)"
  }

  public var errorDescription: String? { description }
}
