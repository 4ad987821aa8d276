public import AsyncViewModelsRequests
public import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Adds a bearer token to requests, and refreshes it if the server refuses it with status 401.
///
/// | event | effect |
/// | --- | --- |
/// | requests are refused | One refresh for all of them. Each is sent once more, also a write: a server does not apply a request that it answers with 401. |
/// | a request had an older token | It is sent again without a refresh. |
/// | the server refuses the new token | The caller receives that response. |
/// | the refresh fails | All refused requests that were sent before fail with the same ``/StorefrontDomain/TokenRefreshError``. |
/// | after a temporary failure | The next refused request refreshes again. |
/// | after any other failure | It is remembered until the token is replaced. |
/// | a request is cancelled | It stops waiting for the refresh. The last one cancels it. |
///
/// Temporary are a `URLError`, a `CancellationError`, a `DeadlineExceeded`, and a
/// ``/StorefrontDomain/ServiceError`` that is no refusal and no status from 400 to 499 other than
/// 408, 425 and 429.
///
/// - Isolation: None. `refresh` runs in its own task, on no actor.
/// - Account: A call belongs to the account at its beginning, or to the
///   ``/StorefrontDomain/AccountVersion`` with which it is run. See ``replaceToken(with:)``.
/// - Important: The token is sent only to the origin of the base URL: its scheme, host and port. A
///   request that already has the field `Authorization`, or that `refresh` sends through the same
///   object, is passed on unchanged.
public final class BearerAuthorization: Sendable {
  /// Returns a new token, in place of the one that the server refused, if there was one.
  public typealias Refresh = @Sendable (_ refused: BearerToken?) async throws -> BearerToken

  /// A token and its number, which each change increments.
  private struct Access: Sendable {
    var token: BearerToken?
    var number = 0
    var session = 0
    /// The first account that may use the token. A first token also belongs to the earlier one.
    var account = 0
    var failureCount = 0
    var failure: TokenRefreshError?

    /// The failure that a refused request shares: a later one, or one that is not temporary.
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
  ///   - token: The current token, or `nil` to send requests without one until the first refresh.
  ///   - refresh: Returns a new token.
  /// - Throws: ``BaseURLError`` if `baseURL` breaks one of the rules in ``BaseURLError/Reason``.
  public init(baseURL: URL, token: BearerToken?, refresh: @escaping Refresh) throws(BaseURLError) {
    origin = try BaseURL(baseURL).origin
    self.refresh = refresh
    access = Mutex(Access(token: token))
  }

  /// Creates middleware whose `refresh` calls its completion handler with a new token, on any
  /// thread. Cancelling or releasing the returned token cancels the call.
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

  package var waitingCount: Int { refreshes.callerCount(for: current.number) }

  /// Replaces the token, for example after the user has signed in or out.
  ///
  /// | what was made before the replacement | becomes |
  /// | --- | --- |
  /// | a running refresh | ignored: it does not overwrite the new token |
  /// | a refused request | a response with status 401: the new token may belong to another user |
  /// | a call to be sent, or sent again by a retry or redirection | the error ``/StorefrontDomain/ServiceError/status(code:message:)`` with the code 401, although an earlier attempt may have had its effect |
  /// | an open feed | the same error |
  /// | a call while there was no token | a request with the new token |
  ///
  /// At a sign-out, first close the view models of the user, then remove what they have stored, and
  /// then replace the token. Make new view models for the next user.
  ///
  /// ```swift
  /// await factory.close()  // or close each cart, form and list
  /// try await cartFile.clear()
  /// authorization.replaceToken(with: nil)
  /// storefront.removeCachedResponses()
  /// ```
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

  /// Returns a newer token than `refused`: the current one, or else the result of a refresh.
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

  /// Stores the result of a refresh, unless the token was replaced. Returns the current access.
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
  /// Sends a request with the current token, and once more with a new token after status 401.
  ///
  /// - Throws: ``/StorefrontDomain/TokenRefreshError``,
  ///   ``/StorefrontDomain/ServiceError/status(code:message:)`` after ``replaceToken(with:)``, or
  ///   the error of `next`.
  public func response(
    to request: URLRequest, next: HTTPHandler
  ) async throws -> (body: Data, head: HTTPURLResponse) {
    guard HTTPOrigin(request.url) == origin, request.value(forHTTPHeaderField: "Authorization") == nil,
      !Self.refreshing.contains(ObjectIdentifier(self))
    else { return try await next(request) }
    let call = HTTPCall.current
    // Before the token is read, so that no replacement is missed.
    call?.end(with: self, register)
    let sent = current
    // What one user has asked for must not be sent with the token of another.
    guard call.map({ $0.account.number >= sent.account }) ?? true else { throw ServiceError.replacedToken }
    let response = try await next(sent.authorizing(request))
    guard response.head.statusCode == 401 else { return response }
    let renewed = try await access(after: sent)
    // The token may now belong to another user, to whom the request must not be applied.
    guard renewed.session == sent.session else { return response }
    return try await next(renewed.authorizing(request))
  }
}
