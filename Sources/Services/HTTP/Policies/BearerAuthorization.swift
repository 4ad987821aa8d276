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
/// - Account: A call belongs to the account of the moment at which it begins, or to that of an
///   ``/StorefrontDomain/AccountVersion`` with which it is run. If the app calls ``replaceToken(with:)`` before the request is sent, or
///   sent again, the call fails with a ``/StorefrontDomain/ServiceError/status(code:message:)`` with the code 401.
/// - Errors: If the refresh fails, all requests that were sent before the failure, and that the server refuses, fail with the same
///   ``/StorefrontDomain/TokenRefreshError``. If the failure is temporary, the next request that the server refuses refreshes the
///   token again. Any other failure is remembered for the token, until the token is replaced. A failure is temporary if `refresh`
///   throws a `URLError`, a `CancellationError`, a `DeadlineExceeded`, or a ``/StorefrontDomain/ServiceError``. Exceptions are a refusal
///   and a status from 400 to 499 other than 408, 425 and 429.
/// - Cancellation: A cancelled request stops waiting for the refresh, and the other requests continue to wait. If all
///   requests that wait are cancelled, the refresh is cancelled.
/// - Important: The token is sent only to the origin of the base URL: its scheme, host and port. After a redirection from
///   HTTP to HTTPS, for example, a request has no token. A request that already has the field `Authorization` and a
///   request that `refresh` sends through the same object are passed on without a change.
public final class BearerAuthorization: Sendable {
  /// Returns a new token. The argument is the token that the server refused, or `nil` if there was none.
  public typealias Refresh = @Sendable (_ refused: BearerToken?) async throws -> BearerToken

  /// A token and its number. Each change of the token increments the number.
  private struct Access: Sendable {
    var token: BearerToken?
    var number = 0
    /// The number of replacements by the app.
    var session = 0
    /// The first account version that may use the token. A token that follows no token belongs to the earlier version, too.
    var account = 0
    /// The number of refreshes of this token that have failed.
    var failureCount = 0
    /// The last failure of a refresh of this token.
    var failure: TokenRefreshError?

    /// The failure that a refused request shares: one that came after the request was sent, or one that is not temporary.
    func failure(of refused: Access) -> TokenRefreshError? {
      guard let failure else { return nil }
      return refused.failureCount < failureCount || !failure.isTemporary ? failure : nil
    }

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
  /// The open responses that a replacement of the token ends.
  private let responses = Mutex<[Int: @Sendable () -> Void]>([:])
  private let lastResponse = Atomic(0)

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
  /// response with status 401. A call that was made before the replacement, and is not sent yet or would be sent again, such as a
  /// retry or a redirection, fails with a ``/StorefrontDomain/ServiceError/status(code:message:)`` with the code 401. The server may
  /// have done what an earlier attempt of the call asked for. An open feed ends with the same error. A call that was made while there
  /// was no token is sent with the new one.
  ///
  /// At a sign-out, first close the view models that store or send for the user, then remove what they have stored, and then replace
  /// the token:
  ///
  /// ```swift
  /// await factory.close()  // or close each cart, form and list
  /// try await cartFile.clear()
  /// authorization.replaceToken(with: nil)
  /// storefront.removeCachedResponses()
  /// ```
  ///
  /// Make new view models for the next user.
  public func replaceToken(with token: BearerToken?) {
    let hadToken = access.withLock { access in
      let version = AccountVersion.advance().number
      let hadToken = access.token != nil
      access = Access(
        token: token, number: access.number + 1, session: access.session + 1,
        account: hadToken ? version : access.account)
      return hadToken
    }
    guard hadToken else { return }
    for end in responses.withLock({ Array($0.values) }) { end() }
  }

  private var current: Access { access.withLock { $0 } }

  /// Calls `end` when the token is replaced, until the returned token is cancelled or released.
  private func register(_ end: @escaping @Sendable () -> Void) -> CancellationToken {
    let number = lastResponse.add(1, ordering: .relaxed).newValue
    responses.withLock { $0[number] = end }
    return CancellationToken { [weak self] in
      withExtendedLifetime(self?.responses.withLock { $0.removeValue(forKey: number) }) {}
    }
  }

  /// Returns a token that is newer than `refused`: the current one or, if there is none, the result of a refresh.
  private func access(after refused: Access) async throws -> Access {
    let current = current
    guard current.number == refused.number else { return current }
    if let failure = current.failure(of: refused) { throw failure }
    do {
      return try await refreshes.value(for: refused.number) { [self] in
        // An earlier refresh may have ended since the check above.
        let newest = self.current
        guard newest.number == refused.number else { return newest }
        if let failure = newest.failure(of: refused) { throw failure }
        return try await renewed(refused)
      }
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch let error as TokenRefreshError {
      throw error
    } catch {
      throw TokenRefreshError(cause: error)
    }
  }

  private func renewed(_ refused: Access) async throws -> Access {
    do {
      let token = try await Self.$refreshing.withValue(Self.refreshing + [ObjectIdentifier(self)]) {
        try await refresh(refused.token)
      }
      return store(after: refused) {
        $0 = Access(token: token, number: $0.number + 1, session: $0.session, account: $0.account)
      }
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      let failure = TokenRefreshError(cause: error)
      _ = store(after: refused) {
        $0.failureCount += 1
        $0.failure = failure
      }
      throw failure
    }
  }

  /// Stores the result of a refresh unless the token was replaced during the refresh. Returns the current access.
  private func store(after refused: Access, _ change: (inout Access) -> Void) -> Access {
    access.withLock { access in
      if access.number == refused.number { change(&access) }
      return access
    }
  }
}

extension TokenRefreshError {
  /// Whether a later refresh of the same token can succeed.
  fileprivate var isTemporary: Bool {
    switch cause {
    case is CancellationError, is URLError, is DeadlineExceeded: true
    case ServiceError.status(let code, _): !(400..<500).contains(code) || [408, 425, 429].contains(code)
    case let error as ServiceError: !error.isRefusal
    default: false
    }
  }
}

extension BearerAuthorization: HTTPMiddleware {
  /// Sends a request with the current token, and once more with a new token if the server refuses it with status 401.
  ///
  /// - Throws: ``/StorefrontDomain/TokenRefreshError`` if the refresh fails,
  ///   ``/StorefrontDomain/ServiceError/status(code:message:)`` if the app has called ``replaceToken(with:)`` after the call was
  ///   made, or the error of `next`.
  public func response(
    to request: URLRequest, next: HTTPHandler
  ) async throws -> (body: Data, head: HTTPURLResponse) {
    guard HTTPOrigin(request.url) == origin, request.value(forHTTPHeaderField: "Authorization") == nil,
      !Self.refreshing.contains(ObjectIdentifier(self))
    else { return try await next(request) }
    let call = HTTPCall.current
    // Registered before the token is read, so that no replacement is missed.
    call?.end(with: self, register)
    let sent = current
    // What one user has asked for must not be sent with the token of another.
    guard call.map({ $0.account.number >= sent.account }) ?? true else { throw ServiceError.replacedToken }
    let answer = try await next(sent.authorizing(request))
    guard answer.head.statusCode == 401 else { return answer }
    let renewed = try await access(after: sent)
    // The token may now belong to another user, to whom the request must not be applied.
    guard renewed.session == sent.session else { return answer }
    return try await next(renewed.authorizing(request))
  }
}
