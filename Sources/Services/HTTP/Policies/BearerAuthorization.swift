public import AsyncViewModels
public import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Adds a bearer token to requests, and refreshes the token if the server refuses it with status 401.
///
/// If the server refuses many requests at the same time, the token is refreshed once, and each request is sent once more
/// with the new token. This includes writes: a server does not apply a request that it answers with 401. If the server
/// refuses a request again, the caller receives the second response.
///
/// A request whose token is older than the current token is sent again without a refresh, unless the app has called
/// ``replaceToken(with:)`` since then.
///
/// - Isolation: None. Use every member from any thread. `refresh` runs in its own task, on no actor.
/// - Errors: If the refresh fails, all requests that wait for it fail with a
///   ``/StorefrontDomain/TokenRefreshError``. The next request that the server refuses refreshes the token again.
/// - Cancellation: A cancelled request stops waiting for the refresh, and the other requests continue to wait. If all
///   requests that wait are cancelled, the refresh is cancelled.
/// - Important: The token is sent only to the origin of the base URL: its scheme, host and port. After a redirection from
///   HTTP to HTTPS, for example, a request has no token. A request that already has the field `Authorization` and a
///   request that `refresh` sends through the same object are passed on without a change.
public final class BearerAuthorization: Sendable {
  /// Returns a new token. The argument is the token that the server refused, or `nil` if there was none.
  public typealias Refresh = @Sendable (_ refused: BearerToken?) async throws -> BearerToken

  /// A token and its number. Each change of the token increments the number. A change by the app also increments the session.
  private struct Access: Sendable {
    var token: BearerToken?
    var number = 0
    var session = 0

    func authorizing(_ request: URLRequest) -> URLRequest {
      guard let token else { return request }
      var request = request
      request.setValue("Bearer \(token.value)", forHTTPHeaderField: "Authorization")
      return request
    }
  }

  /// The objects inside whose refresh the current task runs.
  @TaskLocal private static var refreshing: [ObjectIdentifier] = []

  private let origin: HTTPOrigin
  private let refresh: Refresh
  private let access: Mutex<Access>
  private let refreshes = SingleFlight<Int, Access>()

  /// Creates middleware for the origin of `baseURL`.
  ///
  /// - Parameters:
  ///   - baseURL: The base URL of the storefront.
  ///   - token: The current token. If it is `nil`, requests are sent without a token until the first refresh.
  ///   - refresh: Returns a new token.
  /// - Throws: ``BaseURLError`` if `baseURL` breaks one of the rules in ``BaseURLError/Reason``.
  public init(baseURL: URL, token: BearerToken?, refresh: @escaping Refresh) throws(BaseURLError) {
    origin = try BaseURL(baseURL).origin
    self.refresh = refresh
    access = Mutex(Access(token: token))
  }

  /// Creates middleware for the origin of `baseURL`, with a completion handler for the new token.
  ///
  /// - Parameters:
  ///   - baseURL: The base URL of the storefront.
  ///   - token: The current token. If it is `nil`, requests are sent without a token until the first refresh.
  ///   - refresh: Calls `completion` with a new token, on any thread. Cancelling or releasing the returned token cancels
  ///     the call.
  /// - Throws: ``BaseURLError`` if `baseURL` breaks one of the rules in ``BaseURLError/Reason``.
  public convenience init(
    baseURL: URL, token: BearerToken?,
    refreshing refresh:
      @escaping @Sendable (
        _ refused: BearerToken?, _ completion: @escaping @Sendable (Result<BearerToken, any Error>) -> Void
      ) -> CancellationToken
  ) throws(BaseURLError) {
    try self.init(baseURL: baseURL, token: token) { refused in
      try await withCompletionHandler { refresh(refused, $0) }
    }
  }

  /// The current token, or `nil` if there is none.
  public var token: BearerToken? { current.token }

  /// The number of requests that wait for the refresh of the current token.
  package var waitingCount: Int { refreshes.callerCount(for: current.number) }

  /// Replaces the token, for example after the user has signed in or out.
  ///
  /// A running refresh does not overwrite the new token. A request that was sent with an earlier token is not sent again,
  /// because the new token may belong to another user. If the server refuses this request, the caller receives the
  /// response with status 401. If the storefront would send it again for another reason, such as a retry or a redirection,
  /// the call fails with a ``/StorefrontDomain/ServiceError/status(code:message:)`` with the code 401. The server may have
  /// done what an earlier attempt of the call asked for. A call whose attempts had no token is sent again with the new one.
  public func replaceToken(with token: BearerToken?) {
    access.withLock { $0 = Access(token: token, number: $0.number + 1, session: $0.session + 1) }
  }

  private var current: Access { access.withLock { $0 } }

  /// Returns a token that is newer than `refused`: the current one or, if there is none, the result of a refresh.
  private func access(after refused: Access) async throws -> Access {
    let current = current
    guard current.number == refused.number else { return current }
    do {
      return try await refreshes.value(for: refused.number) { [self] in
        // An earlier refresh may have ended since the check above.
        guard self.current.number == refused.number else { return self.current }
        let token = try await Self.$refreshing.withValue(Self.refreshing + [ObjectIdentifier(self)]) {
          try await refresh(refused.token)
        }
        return store(token, after: refused)
      }
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      throw TokenRefreshError(cause: error)
    }
  }

  /// Stores a new token unless the token was replaced during the refresh. Returns the current token.
  private func store(_ token: BearerToken, after refused: Access) -> Access {
    access.withLock { access in
      if access.number == refused.number { (access.token, access.number) = (token, access.number + 1) }
      return access
    }
  }
}

extension BearerAuthorization: HTTPMiddleware {
  /// Sends a request with the current token, and once more with a new token if the server refuses it with status 401.
  ///
  /// - Throws: ``/StorefrontDomain/TokenRefreshError`` if the refresh fails,
  ///   ``/StorefrontDomain/ServiceError/status(code:message:)`` if the app has called ``replaceToken(with:)`` after an earlier
  ///   attempt of the same call, or the error of `next`.
  public func response(
    to request: URLRequest, next: HTTPHandler
  ) async throws -> (body: Data, head: HTTPURLResponse) {
    guard HTTPOrigin(request.url) == origin, request.value(forHTTPHeaderField: "Authorization") == nil,
      !Self.refreshing.contains(ObjectIdentifier(self))
    else { return try await next(request) }
    let sent = current
    // A retry or a redirection must not send the request of one user with the token of another.
    let session = sent.token == nil ? nil : sent.session
    guard HTTPCall.current?.belongs(to: session, of: ObjectIdentifier(self)) != false else {
      throw ServiceError.status(
        code: 401, message: "the token was replaced before the request was sent again")
    }
    let answer = try await next(sent.authorizing(request))
    guard answer.head.statusCode == 401 else { return answer }
    let renewed = try await access(after: sent)
    // The token may now belong to another user, to whom the request must not be applied.
    guard renewed.session == sent.session else { return answer }
    return try await next(renewed.authorizing(request))
  }
}
