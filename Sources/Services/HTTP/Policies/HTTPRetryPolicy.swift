public import AsyncViewModels
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whether and when a storefront over HTTP sends a failed read again.
///
/// Only `GET` requests are sent again. A change of the cart is not idempotent. A save names the version that it
/// replaces, so a second save would get a conflict although the first one succeeded. For the same reason, a second
/// deletion would get "unknown post".
///
/// | Failure of a `GET` request | Sent again |
/// | --- | --- |
/// | `ServiceError.connectionLost`, `.timedOut`, `.unreachable` | yes |
/// | status 408, 429, 502, 503, 504 | yes |
/// | every other error and status | no |
///
/// The policy waits before each further attempt. If the response has a `Retry-After` field (RFC 9110, section 10.2.3),
/// the wait is the time that the field asks for plus the time of ``backoff``, so that the clients of a busy server do
/// not return all at the same time.
///
/// A wait that would not end before ``HTTPLimits/deadline`` does not begin: the request fails at once with its
/// last error. Cancelling the request also ends the wait.
public struct HTTPRetryPolicy: Hashable, Sendable {
  /// The number of retries, and the time before each of them.
  public var backoff: RetryPolicy
  /// The longest time in a `Retry-After` field that a request waits. If a server asks for more, the request fails
  /// at once.
  public var longestRetryAfter: Duration

  /// Never sends a request again.
  public static let none = HTTPRetryPolicy(backoff: .never)

  /// Creates a policy.
  ///
  /// The default sends a request at most three times. It waits for a random part of 0.2 seconds before the first retry,
  /// and of 0.4 seconds before the second. The method is "full jitter", from Brooker, "Exponential Backoff And Jitter",
  /// AWS Architecture Blog, 2015.
  ///
  /// - Precondition: `longestRetryAfter` is not negative.
  public init(
    backoff: RetryPolicy = .exponential(from: .milliseconds(200), upTo: .seconds(5), limit: 2, jitter: 1),
    longestRetryAfter: Duration = .seconds(30)
  ) {
    precondition(
      longestRetryAfter >= .zero,
      "HTTPRetryPolicy: the longest Retry-After must not be negative, but is \(longestRetryAfter)")
    self.backoff = backoff
    self.longestRetryAfter = longestRetryAfter
  }
}

extension HTTPRetryPolicy {
  /// Whether a request that ends like this is worth a retry.
  static func isWorthRetry(_ method: String?, _ outcome: Result<HTTPAnswer, any Error>) -> Bool {
    guard method == "GET" else { return false }
    return switch outcome {
    case .success(let answer): [408, 429, 502, 503, 504].contains(answer.head.statusCode)
    case .failure(let error as ServiceError): isWorthRetry(error)
    case .failure: false
    }
  }

  private static func isWorthRetry(_ error: ServiceError) -> Bool {
    switch error {
    case .connectionLost, .timedOut, .unreachable: true
    case .offline, .insecure, .tooLarge, .redirected, .status, .malformed, .notFound: false
    }
  }
}

/// The retries of one call. A call counts its retries over all redirections.
struct HTTPRetries {
  private let policy: HTTPRetryPolicy
  private var generator: any RandomNumberGenerator
  private var count = 0

  init(_ policy: HTTPRetryPolicy, using generator: any RandomNumberGenerator) {
    self.policy = policy
    self.generator = generator
  }

  /// Returns the time to wait before the next retry, or `nil` if the outcome is final.
  ///
  /// - Parameter now: The time of the device. Used if the response contains a date without its own time.
  mutating func delay(
    after outcome: Result<HTTPAnswer, any Error>, to method: String?, at now: Date
  ) -> Duration? {
    guard HTTPRetryPolicy.isWorthRetry(method, outcome),
      let backoff = policy.backoff.delay(beforeRetry: count + 1, using: &generator)
    else { return nil }
    let requested = (try? outcome.get()).flatMap { RetryAfter.delay(in: $0.head, at: now) } ?? .zero
    guard requested <= policy.longestRetryAfter else { return nil }
    count += 1
    return requested + backoff
  }
}
