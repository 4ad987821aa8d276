import AsyncViewModels

/// A stream ended without the element that somebody was waiting for.
public struct StreamEndedEarly: Error, Equatable {
  /// Descriptions of all elements that the stream did give, in order.
  public let recorded: [String]

  public init(recorded: [String]) {
    self.recorded = recorded
  }
}

extension StreamEndedEarly: CustomStringConvertible {
  public var description: String {
    "the stream ended without the awaited element, after \(recorded.count): \(recorded)"
  }
}
