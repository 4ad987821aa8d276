/// An operation was not done by its deadline.
public struct DeadlineExceeded: Error, Equatable {
  /// How much time the operation had.
  public let duration: Duration

  public init(duration: Duration) {
    self.duration = duration
  }
}

extension DeadlineExceeded: CustomStringConvertible {
  public var description: String { "the deadline of \(duration) was exceeded" }
}
