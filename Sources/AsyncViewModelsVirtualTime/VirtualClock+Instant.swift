extension VirtualClock {
  /// A point in time on a virtual clock.
  public struct Instant: InstantProtocol {
    /// The type of the distance between two instants.
    public typealias Duration = Swift.Duration

    /// The time since the start of the clock.
    public let offset: Duration

    /// Creates an instant from the time since the start of the clock.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The first instant of every virtual clock.
    public static let start = Instant(offset: .zero)

    /// The instant that is later by a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time from this instant to another one.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether the left instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }
}

extension VirtualClock.Instant: CustomStringConvertible {
  public var description: String { "start + \(offset)" }
}
