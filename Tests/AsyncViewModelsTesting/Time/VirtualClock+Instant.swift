extension VirtualClock {
  /// A point on a virtual clock: the time since that clock began.
  public struct Instant: InstantProtocol {
    public typealias Duration = Swift.Duration

    /// The time since the clock began.
    public let offset: Duration

    public init(offset: Duration) {
      self.offset = offset
    }

    /// Where every virtual clock begins.
    public static let start = Instant(offset: .zero)

    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }
}

extension VirtualClock.Instant: CustomStringConvertible {
  public var description: String { "start + \(offset)" }
}
