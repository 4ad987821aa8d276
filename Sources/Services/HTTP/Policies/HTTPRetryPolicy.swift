public import AsyncViewModels
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whether and when a storefront over HTTP sends a failed request again.
///
/// A `GET` request can be sent again. A write can be sent again because it has the field `Idempotency-Key`: a server that has made
/// the write answers as it answered the first request. All attempts of a call have the same key and the same body.
///
/// | Failure of a `GET` request, or of a request with a key | Sent again |
/// | --- | --- |
/// | `ServiceError.connectionLost`, `.timedOut`, `.unreachable` | yes |
/// | status 408, 429, 502, 503, 504 | yes |
/// | the server is still making a write with the same key (status 409) | yes, after ``pollInterval`` |
/// | another write had the key (status 422) | no |
/// | every other error and status | no |
///
/// The policy waits before each further attempt. If the response has a `Retry-After` field (RFC 9110, section 10.2.3),
/// the wait is the time that the field asks for plus the time of ``backoff``, so that the clients of a busy server do
/// not return all at the same time.
///
/// A server can forget a key, or ignore keys. If it then refuses a repeated deletion because there is no such post, the call
/// succeeds. A repeated save succeeds if the server refuses it because the profile already has the new values and the next version.
/// A repeated restoration has no other effect than the first one. A repeated cart change cannot be recognized: such a server makes it
/// again. Use ``none`` for a server that ignores keys.
///
/// If the server may have received a write, another response than its own refusals (status 409 or 422) can come from a gateway that has
/// lost the first response. Then the call fails with a ``/StorefrontDomain/ServiceError/status(code:message:)`` and the outcome is unknown,
/// also in a later call with the same key.
///
/// A wait that would not end before ``HTTPLimits/deadline`` does not begin: the request fails at once with its
/// last error. Cancelling the request also ends the wait. A request whose ``BearerAuthorization`` got a new token from the app in
/// the meantime is not sent again.
public struct HTTPRetryPolicy: Hashable, Sendable {
  /// The number of retries, and the time before each of them.
  public var backoff: RetryPolicy
  /// The longest time in a `Retry-After` field that a request waits. If a server asks for more, the request fails
  /// at once.
  public var longestRetryAfter: Duration
  /// The time after which a write is sent again that the server is still making, unless the server asks for more. These requests do
  /// not count as retries of ``backoff`` and end only at the deadline. If it is `nil`, such a write is not sent again.
  public var pollInterval: Duration?

  /// Never sends a request again.
  public static let none = HTTPRetryPolicy(backoff: .never, pollInterval: nil)

  /// Creates a policy.
  ///
  /// The default sends a request at most three times. It waits for a random part of 0.2 seconds before the first retry,
  /// and of 0.4 seconds before the second. The method is "full jitter", from Brooker, "Exponential Backoff And Jitter",
  /// AWS Architecture Blog, 2015.
  ///
  /// - Precondition: `longestRetryAfter` is not negative, and `pollInterval` is positive.
  public init(
    backoff: RetryPolicy = .exponential(from: .milliseconds(200), upTo: .seconds(5), limit: 2, jitter: 1),
    longestRetryAfter: Duration = .seconds(30), pollInterval: Duration? = .seconds(1)
  ) {
    precondition(
      pollInterval.map { $0 > .zero } ?? true,
      "HTTPRetryPolicy: the poll interval must be positive")
    precondition(
      longestRetryAfter >= .zero,
      "HTTPRetryPolicy: the longest Retry-After must not be negative, but is \(longestRetryAfter)")
    self.backoff = backoff
    self.longestRetryAfter = longestRetryAfter
    self.pollInterval = pollInterval
  }
}

extension HTTPRetryPolicy {
  /// Whether a request can be sent again without having its effect twice.
  static func isRepeatable(_ request: URLRequest) -> Bool {
    request.httpMethod == "GET" || request.value(forHTTPHeaderField: IdempotencyField.name) != nil
  }

  /// Whether a request that ends like this is worth a retry.
  static func isWorthRetry(_ outcome: Result<HTTPAnswer, any Error>) -> Bool {
    switch outcome {
    case .success(let answer): [408, 429, 502, 503, 504].contains(answer.head.statusCode)
    case .failure(let error as ServiceError): isWorthRetry(error)
    case .failure: false
    }
  }

  private static func isWorthRetry(_ error: ServiceError) -> Bool {
    switch error {
    case .connectionLost, .timedOut, .unreachable: true
    case .offline, .insecure, .tooLarge, .redirected, .status, .malformed, .notFound, .keyReused,
      .stillInProgress:
      false
    }
  }
}

/// The retries of one call. A call counts its retries over all redirections.
struct HTTPRetries {
  private let policy: HTTPRetryPolicy
  private var generator: any RandomNumberGenerator
  private var count = 0

  /// Whether the server may have done what the call asks for, because of an earlier attempt.
  private(set) var mayHaveArrived = false

  init(_ policy: HTTPRetryPolicy, using generator: any RandomNumberGenerator) {
    self.policy = policy
    self.generator = generator
  }

  /// Returns the time to wait before the next retry, or `nil` if the outcome is final.
  ///
  /// - Parameter now: The time of the device. Used if the response contains a date without its own time.
  mutating func delay(
    after outcome: Result<HTTPAnswer, any Error>, to request: URLRequest, at now: Date
  ) -> Duration? {
    guard HTTPRetryPolicy.isRepeatable(request) else { return nil }
    let answer = try? outcome.get()
    let requested = answer.flatMap { RetryAfter.delay(in: $0.head, at: now) } ?? .zero
    guard requested <= policy.longestRetryAfter else { return nil }
    if answer.flatMap({ IdempotencyProblem($0) }) == .inProgress {
      mayHaveArrived = true
      return policy.pollInterval.map { max($0, requested) }
    }
    guard HTTPRetryPolicy.isWorthRetry(outcome),
      let backoff = policy.backoff.delay(beforeRetry: count + 1, using: &generator)
    else { return nil }
    count += 1
    if Self.mayHaveArrived(outcome) { mayHaveArrived = true }
    return requested + backoff
  }

  /// Whether the server may have done what the request asks for, although the request ended like this.
  private static func mayHaveArrived(_ outcome: Result<HTTPAnswer, any Error>) -> Bool {
    switch outcome {
    case .success(let answer): answer.head.statusCode != 429
    case .failure(ServiceError.unreachable): false
    case .failure: true
    }
  }
}
