/// How often to retry after a failure, and how long to wait before each retry.
///
/// ```swift
/// let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(30), limit: 5)
/// var (retry, generator) = (0, SystemRandomNumberGenerator())
/// while true {
///   let start = clock.now
///   do {
///     for try await message in socket.messages() { show(message) }
///     return
///   } catch {
///     if start.duration(to: clock.now) >= policy.stableTime { retry = 0 }
///     retry += 1
///     guard let wait = policy.delay(beforeRetry: retry, using: &generator) else { throw error }
///     try await clock.sleep(for: wait)
///   }
/// }
/// ```
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of consecutive retries.
  public let limit: Int
  /// How long an attempt must work before its failure counts as the first one again.
  ///
  /// With a time of zero, a connection that greets and dies never reaches the limit or a longer
  /// delay.
  public let stableTime: Duration

  private let shortest: Duration
  private let longest: Duration
  private let jitter: Double

  /// Never retries.
  public static let never = RetryPolicy(
    limit: 0, shortest: .zero, longest: .zero, jitter: 0, stableTime: .zero)

  /// Waits the same time before each retry.
  ///
  /// If `delay` is zero, set a limit: an operation that always fails at once would keep a thread
  /// busy.
  ///
  /// - Parameters:
  ///   - delay: The time before each retry.
  ///   - limit: The maximum number of consecutive retries. Unlimited by default.
  ///   - jitter: The fraction of each delay that is random, from 0 (none) to 1 (all). With 0.5, the
  ///     actual delay is between half of the delay and the whole delay.
  ///   - stableTime: See ``stableTime``.
  /// - Precondition: `delay`, `limit` and `stableTime` are not negative, and `jitter` is between 0
  ///   and 1.
  public static func constant(
    _ delay: Duration, limit: Int = .max, jitter: Double = 0, stableTime: Duration = .seconds(10)
  ) -> RetryPolicy {
    guard delay >= .zero else {
      fatalError("RetryPolicy.constant: the delay must not be negative, but is \(delay)")
    }
    return RetryPolicy(limit: limit, shortest: delay, longest: delay, jitter: jitter, stableTime: stableTime)
  }

  /// Doubles the delay before each further retry, up to a longest delay.
  ///
  /// - Parameters:
  ///   - shortest: The time before the first retry.
  ///   - longest: The longest time before a retry.
  ///   - limit: The maximum number of consecutive retries. Unlimited by default.
  ///   - jitter: The fraction of each delay that is random. See
  ///     ``constant(_:limit:jitter:stableTime:)``.
  ///   - stableTime: See ``stableTime``.
  /// - Precondition: `shortest` is positive and at most `longest`, `limit` and `stableTime` are not
  ///   negative, and `jitter` is between 0 and 1.
  public static func exponential(
    from shortest: Duration, upTo longest: Duration, limit: Int = .max, jitter: Double = 0,
    stableTime: Duration = .seconds(10)
  ) -> RetryPolicy {
    guard shortest > .zero, shortest <= longest else {
      fatalError(
        "RetryPolicy.exponential: needs 0 < from <= upTo, but from is \(shortest) and upTo is \(longest)")
    }
    return RetryPolicy(
      limit: limit, shortest: shortest, longest: longest, jitter: jitter, stableTime: stableTime)
  }

  private init(limit: Int, shortest: Duration, longest: Duration, jitter: Double, stableTime: Duration) {
    guard limit >= 0 else { fatalError("RetryPolicy: the limit must not be negative, but is \(limit)") }
    guard (0...1).contains(jitter) else {
      fatalError("RetryPolicy: the jitter must be between 0 and 1, but is \(jitter)")
    }
    guard stableTime >= .zero else {
      fatalError("RetryPolicy: the stable time must not be negative, but is \(stableTime)")
    }
    (self.limit, self.shortest, self.longest) = (limit, shortest, longest)
    (self.jitter, self.stableTime) = (jitter, stableTime)
  }

  /// Returns the time to wait before a retry, or `nil` if the policy does not allow the retry.
  ///
  /// - Parameters:
  ///   - retry: The number of consecutive retries, including this retry. It is 1 for the first
  ///     retry.
  ///   - generator: The source of the random numbers. Not used if the policy has no jitter.
  /// - Complexity: O(log(longest / shortest)).
  public func delay(
    beforeRetry retry: Int, using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    guard retry <= limit else { return nil }
    var delay = shortest
    var doublings = max(retry, 1) - 1
    while doublings > 0, delay < longest {
      delay = delay > longest / 2 ? longest : delay * 2
      doublings -= 1
    }
    guard jitter > 0 else { return delay }
    let factor = Double.random(in: 1 - jitter...1, using: &generator)
    // The product is rounded, and the longest delays overflow in a product with 1.
    return factor < 1 ? min(delay, delay * factor) : delay
  }
}
