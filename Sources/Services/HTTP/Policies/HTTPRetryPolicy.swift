public import AsyncViewModelsRequests
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whether and when a storefront over HTTP sends a failed request again.
///
/// A write can be sent again because it has the field `Idempotency-Key`: a server that has made the
/// write answers as before. All attempts of a call have the same key and the same body.
///
/// | failure of a `GET` request, or of a request with a key | sent again |
/// | --- | --- |
/// | `ServiceError.connectionLost`, `.timedOut`, `.unreachable` | yes |
/// | status 408, 429, 502, 503, 504 | yes |
/// | the server is still making a write with the same key (status 409) | yes, after ``pollInterval`` |
/// | another write had the key (status 422) | no |
/// | the app has replaced the token of a ``BearerAuthorization`` | no |
/// | every other error and status | no |
///
/// The policy waits before each further attempt. A `Retry-After` field (RFC 9110, section 10.2.3)
/// adds its time to that of ``backoff``, so that the clients of a busy server do not return at the
/// same time. A wait that would pass ``HTTPLimits/deadline`` does not begin: the request fails at
/// once.
///
/// | a server without keys repeats | outcome |
/// | --- | --- |
/// | a deletion | succeeds, although the server refuses it because the post is gone |
/// | a save | succeeds, although the server refuses it, if the profile has the new values and the next version |
/// | a restoration | has no further effect |
/// | a cart change | is made again: use ``none`` for a server without keys |
///
/// After a write that the server may have received, a status other than 409 and 422 can come from a
/// gateway that has lost the first response. The call, and a later one with the same key, then
/// fails with a ``/StorefrontDomain/ServiceError/status(code:message:)``, and the outcome is
/// unknown.
public struct HTTPRetryPolicy: Hashable, Sendable {
  /// The number of retries, and the time before each of them.
  public var backoff: RetryPolicy
  /// The longest `Retry-After` for which a request waits. After a longer one, it fails.
  public var longestRetryAfter: Duration
  /// The time after which a write is repeated that the server is still making, unless it asks for
  /// more. These requests are no retries, and end only at the deadline. `nil` sends none.
  public var pollInterval: Duration?

  /// Never sends a request again.
  public static let none = HTTPRetryPolicy(backoff: .never, pollInterval: nil)

  /// Creates a policy.
  ///
  /// The default sends a request at most three times, after random parts of 0.2 and 0.4 seconds
  /// ("full jitter", Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
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

  static func isWorthRetry(_ outcome: Result<TransportResponse, any Error>) -> Bool {
    switch outcome {
    case .success(let response): [408, 429, 502, 503, 504].contains(response.head.statusCode)
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

  /// Whether an earlier attempt may have had its effect.
  private(set) var mayHaveArrived = false

  init(_ policy: HTTPRetryPolicy, using generator: any RandomNumberGenerator) {
    self.policy = policy
    self.generator = generator
  }

  /// Returns the time to wait before the next retry, or `nil` if the outcome is final.
  ///
  /// - Parameter now: The time of the device, for a date in a response without its own time.
  mutating func delay(
    after outcome: Result<TransportResponse, any Error>, to request: URLRequest, at now: Date
  ) -> Duration? {
    guard HTTPRetryPolicy.isRepeatable(request) else { return nil }
    let response = try? outcome.get()
    let requested = response.flatMap { RetryAfter.delay(in: $0.head, at: now) } ?? .zero
    guard requested <= policy.longestRetryAfter else { return nil }
    if response.flatMap({ IdempotencyProblem($0) }) == .inProgress {
      mayHaveArrived = true
      return policy.pollInterval.map { max($0, requested) }
    }
    guard HTTPRetryPolicy.isWorthRetry(outcome),
      let backoff = policy.backoff.delay(beforeRetry: count + 1, using: &generator)
    else { return nil }
    count += 1
    if Self.mayHaveArrived(outcome) { mayHaveArrived = true }
    return min(requested, .century) + min(backoff, .century)
  }

  /// Whether a request that ended like this may have had its effect.
  private static func mayHaveArrived(_ outcome: Result<TransportResponse, any Error>) -> Bool {
    switch outcome {
    case .success(let response): response.head.statusCode != 429
    case .failure(ServiceError.unreachable): false
    case .failure: true
    }
  }
}
