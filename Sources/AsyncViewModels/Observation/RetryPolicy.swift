/// The number of retries after a failure, and the wait before each.
///
/// ```swift
/// let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(30), jitter: 0.5)
/// ```
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of consecutive retries.
  public let limit: Int

  private let shortest: Duration
  private let longest: Duration
  private let jitter: Double

  /// Never retries.
  public static let none = RetryPolicy(limit: 0, shortest: .zero, longest: .zero, jitter: 0)

  /// Waits the same time before each retry.
  ///
  /// A wait of zero retries at once. In that case, set a limit: a source that always fails at once keeps a
  /// thread busy.
  ///
  /// - Parameters:
  ///   - wait: The time before each retry.
  ///   - limit: The maximum number of consecutive retries. Unlimited by default.
  ///   - jitter: The part of each wait that is random, from 0 (none) to 1 (all). With 0.5, a wait takes between
  ///     half and all of its time.
  /// - Precondition: `wait` and `limit` are not negative, and `jitter` is between 0 and 1.
  public static func constant(_ wait: Duration, limit: Int = .max, jitter: Double = 0) -> RetryPolicy {
    precondition(wait >= .zero, "RetryPolicy.constant: the wait must not be negative, but is \(wait)")
    return RetryPolicy(limit: limit, shortest: wait, longest: wait, jitter: jitter)
  }

  /// Doubles the wait before each further retry, up to a longest wait.
  ///
  /// - Parameters:
  ///   - shortest: The time before the first retry.
  ///   - longest: The longest time before a retry.
  ///   - limit: The maximum number of consecutive retries. Unlimited by default.
  ///   - jitter: The part of each wait that is random, from 0 (none) to 1 (all). With 0.5, a wait takes between
  ///     half and all of its time.
  /// - Precondition: `shortest` is positive and at most `longest`, `limit` is not negative, and `jitter` is
  ///   between 0 and 1.
  public static func exponential(
    from shortest: Duration, upTo longest: Duration, limit: Int = .max, jitter: Double = 0
  ) -> RetryPolicy {
    precondition(
      shortest > .zero && shortest <= longest,
      "RetryPolicy.exponential: needs 0 < from <= upTo, but from is \(shortest) and upTo is \(longest)")
    return RetryPolicy(limit: limit, shortest: shortest, longest: longest, jitter: jitter)
  }

  private init(limit: Int, shortest: Duration, longest: Duration, jitter: Double) {
    precondition(limit >= 0, "RetryPolicy: the limit must not be negative, but is \(limit)")
    precondition(
      (0...1).contains(jitter), "RetryPolicy: the jitter must be between 0 and 1, but is \(jitter)")
    (self.limit, self.shortest, self.longest, self.jitter) = (limit, shortest, longest, jitter)
  }

  /// Returns the time to wait before a retry, or nil if the policy does not allow the retry.
  ///
  /// - Parameters:
  ///   - retry: The number of consecutive retries, including this one.
  ///   - generator: The source of the jitter. Not used if the policy has no jitter.
  /// - Complexity: O(log(longest / shortest)).
  public func wait(
    beforeRetry retry: Int, using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    guard retry <= limit else { return nil }
    var wait = shortest
    var doublings = retry - 1
    while doublings > 0, wait < longest {
      wait = wait > longest / 2 ? longest : wait * 2
      doublings -= 1
    }
    return jitter > 0 ? wait * Double.random(in: 1 - jitter...1, using: &generator) : wait
  }
}
