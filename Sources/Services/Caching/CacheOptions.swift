/// How much a cache keeps in memory, and for how long.
///
/// A stored value is *fresh* until it reaches its maximum age (RFC 9111, section 4.2). Then the value is *stale*: a reader
/// receives it while the cache loads the value again, as `stale-while-revalidate` permits (RFC 5861, section 3). A value
/// whose staleness has reached the limit is *expired*: no reader receives it.
///
/// A value is stale, and not fresh, while its clock is set back to a time before the request.
///
/// The age of a value counts from the start of the request that loaded it, because the service can have created the
/// response at any moment after that (RFC 9111, section 4.2.3).
public struct CacheOptions: Sendable {
  /// The age at which a value is no longer fresh. If it is zero, a value is stale at once.
  public let maximumAge: Duration
  /// The time after the maximum age at which a value expires. If it is zero, no stale value is used.
  public let maximumStaleness: Duration
  /// The largest total cost of the values. Beyond it, the cache removes the least recently used values.
  ///
  /// An expired value counts until it is read, replaced or removed.
  public let costLimit: Int
  /// The clock that measures the age.
  public let clock: any Clock<Duration>
  /// The source of the signals after which the cache removes all values.
  public let memoryPressure: any MemoryPressureSource

  /// Creates options. Every option has a default.
  ///
  /// - Parameters:
  ///   - maximumAge: The age at which a value is no longer fresh.
  ///   - maximumStaleness: The time after the maximum age at which a value expires.
  ///   - costLimit: The largest total cost of the values.
  ///   - clock: The clock that measures the age.
  ///   - memoryPressure: The source of the signals after which the cache removes all values.
  /// - Precondition: No duration and no limit is negative.
  public init(
    maximumAge: Duration = .seconds(60), maximumStaleness: Duration = .seconds(600), costLimit: Int = 100,
    clock: any Clock<Duration> = ContinuousClock(),
    memoryPressure: any MemoryPressureSource = SystemMemoryPressure()
  ) {
    precondition(
      maximumAge >= .zero, "CacheOptions: the maximum age must not be negative, but is \(maximumAge)")
    precondition(
      maximumStaleness >= .zero,
      "CacheOptions: the maximum staleness must not be negative, but is \(maximumStaleness)")
    precondition(costLimit >= 0, "CacheOptions: the cost limit must not be negative, but is \(costLimit)")
    self.maximumAge = maximumAge
    self.maximumStaleness = maximumStaleness
    self.costLimit = costLimit
    self.clock = clock
    self.memoryPressure = memoryPressure
  }

  /// Whether a value can be used.
  enum Freshness {
    case fresh, stale, expired
  }

  /// Whether a value of this age can be used.
  func freshness(at age: Duration) -> Freshness {
    if age < maximumAge { return .fresh }
    return age - maximumAge < maximumStaleness ? .stale : .expired
  }
}

/// When a reader of a cache requests a value that is already stored.
public enum Revalidation: Sendable, CaseIterable {
  /// Only if the stored value is no longer fresh.
  case ifStale
  /// Always, for example if a user refreshes a screen.
  case always
}

/// A value that a reader of a cache receives.
public enum CacheReading<Value> {
  /// The stored value, and the time since the start of the request that loaded it.
  case cached(Value, age: Duration)
  /// The value that the service has just returned.
  case fresh(Value)

  /// The value.
  public var value: Value {
    switch self {
    case .cached(let value, _), .fresh(let value): value
    }
  }
}

extension CacheReading: Sendable where Value: Sendable {}
extension CacheReading: Equatable where Value: Equatable {}
