/// How much a cache keeps in memory, and for how long.
///
/// | a value is | until | a reader receives it |
/// | --- | --- | --- |
/// | *fresh* | its maximum age (RFC 9111, section 4.2) | without a request |
/// | *stale* | its maximum staleness after that | while the cache loads the value again (RFC 5861, section 3) |
/// | *expired* | it is removed | never |
///
/// The age counts from the start of the request, because the service can create the response at any
/// moment after it (RFC 9111, section 4.2.3). While the clock is set back to before the request,
/// the value is stale.
public struct CacheOptions: Sendable {
  /// The age at which a value is no longer fresh. If it is zero, a value is stale at once.
  public let maximumAge: Duration
  /// How long a value is stale. If it is zero, no stale value is used.
  public let maximumStaleness: Duration
  /// The largest total cost of the values. Beyond it, the least recently used values are removed.
  ///
  /// An expired value counts until it is read, replaced or removed.
  public let costLimit: Int
  /// The clock that measures the age.
  public let clock: any Clock<Duration>
  /// The source of the signals after which the cache removes all values.
  public let memoryPressure: any MemoryPressureSource

  /// Creates options. Every option has a default.
  ///
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

  enum Freshness {
    case fresh, stale, expired
  }

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
