import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import Synchronization
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bearer tokens and their refresh.
@Suite("Bearer authorization", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct BearerAuthorizationTests {
  private let transport = ScriptedTransport()
  private let refreshes = ScriptedCalls<BearerToken?, BearerToken>()
  private let clock = VirtualClock()

  private struct NoSession: Error {}

  private static func token(_ text: String) throws -> BearerToken { try #require(BearerToken(text)) }

  private func authorization(_ token: String? = "t1") throws -> BearerAuthorization {
    try BearerAuthorization(
      baseURL: StorefrontClient.shop, token: try token.map(Self.token)
    ) { [refreshes] in try await refreshes($0) }
  }

  private func client(
    _ form: ServiceForm, _ authorization: BearerAuthorization, connections: Int = 6,
    retry: HTTPRetryPolicy = .none
  ) throws -> StorefrontClient {
    let options = HTTPOptions(
      limits: HTTPLimits(connections: connections), retry: retry, middleware: [authorization], clock: clock)
    return try StorefrontClient.http(form, StorefrontClient.shop, over: transport, options: options)
  }

  /// Waits 1 s before each retry and each poll.
  private static let retry = HTTPRetryPolicy(backoff: .constant(.seconds(1), limit: 3))

  /// The error of a call that could only continue with the token of another user.
  private static let replaced = ServiceError.status(
    code: 401, message: "the token was replaced before the request was sent")

  /// The tokens of all requests so far.
  private var sent: [String?] { transport.requests.map { $0.value(forHTTPHeaderField: "Authorization") } }

  @Test(
    "many requests that are refused at once refresh the token once, and each is sent once more",
    arguments: ServiceForm.allCases)
  func singleRefresh(form: ServiceForm) async throws {
    let authorization = try authorization()
    let client = try client(form, authorization, connections: 8)
    let reads = (1...6).map { _ in Task { try await client.orders() } }
    let write = Task { try await client.deletePost(1) }
    for number in 1...7 { try await transport.answer(number, 401) }
    let refresh = try await refreshes.next()
    #expect(refresh.request?.value == "t1")
    try await until { authorization.waitingCount == 7 }
    refresh.succeed(try Self.token("t2"))
    for number in 8...14 {
      await transport.waitForRequests(number)
      let isWrite = transport.requests[number - 1].httpMethod == "DELETE"
      try await transport.answer(number, body: isWrite ? #"{"deleted":1}"# : "[]")
    }
    for read in reads { #expect(try await read.value == []) }
    try await write.value
    #expect(refreshes.requests.count == 1)
    #expect(sent == Array(repeating: "Bearer t1", count: 7) + Array(repeating: "Bearer t2", count: 7))
    #expect(authorization.token?.value == "t2")
  }

  @Test(
    "a request with an older token than the current one does not refresh it", arguments: ServiceForm.allCases)
  func olderToken(form: ServiceForm) async throws {
    let authorization = try authorization()
    let client = try client(form, authorization)
    let early = Task { try await client.orders() }
    await transport.waitForRequests(1)
    let late = Task { try await client.orders() }
    try await transport.answer(2, 401)
    try await refreshes.next().succeed(try Self.token("t2"))
    try await transport.answer(3)
    _ = try await late.value
    try await transport.answer(1, 401)
    try await transport.answer(4)
    _ = try await early.value
    #expect(sent == ["Bearer t1", "Bearer t1", "Bearer t2", "Bearer t2"])
    #expect(refreshes.requests.count == 1)
  }

  @Test(
    "a refresh that fails ends all requests that wait, and a later request tries again",
    arguments: ServiceForm.allCases)
  func failure(form: ServiceForm) async throws {
    let authorization = try authorization()
    let client = try client(form, authorization)
    for error in [ServiceError.offline, CancellationError()] as [any Error] {
      let sent = transport.requests.count
      let reads = (1...3).map { _ in Task { try await client.orders() } }
      for number in 1...3 { try await transport.answer(sent + number, 401) }
      try await until { authorization.waitingCount == 3 }
      try await refreshes.next().fail(error)
      for read in reads {
        let thrown = await #expect(throws: TokenRefreshError.self) { try await read.value }
        #expect(type(of: try #require(thrown).cause) == type(of: error))
      }
    }
    #expect(refreshes.requests.count == 2)
    let read = Task { try await client.orders() }
    try await transport.answer(7, 401)
    try await refreshes.next().succeed(try Self.token("t2"))
    try await transport.answer(8)
    #expect(try await read.value == [])
  }

  @Test("a request is sent once more, not twice", arguments: ServiceForm.allCases)
  func refusedTwice(form: ServiceForm) async throws {
    let client = try client(form, try authorization(nil))
    let read = Task { try await client.orders() }
    try await transport.answer(1, 401)
    let refresh = try await refreshes.next()
    #expect(refresh.request == nil)
    refresh.succeed(try Self.token("t2"))
    try await transport.answer(2, 401, body: #"{"error":"still no"}"#)
    await #expect(throws: ServiceError.status(code: 401, message: "still no")) { try await read.value }
    #expect(sent == [nil, "Bearer t2"])
    #expect(refreshes.requests.count == 1)
  }

  @Test(
    "one cancelled request does not cancel the refresh, and all of them do", arguments: ServiceForm.allCases)
  func cancellation(form: ServiceForm) async throws {
    let authorization = try authorization()
    let client = try client(form, authorization)
    let reads = (1...2).map { _ in Task { try await client.orders() } }
    for number in 1...2 { try await transport.answer(number, 401) }
    try await until { authorization.waitingCount == 2 }
    let refresh = try await refreshes.next()
    reads[0].cancel()
    await #expect(throws: CancellationError.self) { try await reads[0].value }
    try await until { authorization.waitingCount == 1 }
    #expect(!refresh.isCancelled)
    reads[1].cancel()
    await #expect(throws: CancellationError.self) { try await reads[1].value }
    await refresh.waitForCancellation()
    #expect(transport.requests.count == 2)
  }

  @Test("a refresh that takes longer than the deadline is cancelled", arguments: ServiceForm.allCases)
  func deadline(form: ServiceForm) async throws {
    let client = try client(form, try authorization())
    let read = Task { try await client.orders() }
    try await transport.answer(1, 401)
    let refresh = try await refreshes.next()
    clock.advance(by: HTTPLimits().deadline)
    await #expect(throws: ServiceError.timedOut) { try await read.value }
    await refresh.waitForCancellation()
  }

  @Test(
    "after the app has replaced the token, a refused request is not sent with the token of another user",
    arguments: ServiceForm.allCases)
  func replacedToken(form: ServiceForm) async throws {
    let authorization = try authorization()
    let client = try client(form, authorization)
    let waiting = Task { try await client.deletePost(1) }
    let late = Task { try await client.deletePost(1) }
    await transport.waitForRequests(2)
    try await transport.answer(1, 401, body: #"{"error":"expired"}"#)
    let refresh = try await refreshes.next()
    authorization.replaceToken(with: try Self.token("other-user"))
    refresh.succeed(try Self.token("t2"))
    try await transport.answer(2, 401, body: #"{"error":"expired"}"#)
    for write in [waiting, late] {
      await #expect(throws: ServiceError.status(code: 401, message: "expired")) { try await write.value }
    }
    #expect(sent == ["Bearer t1", "Bearer t1"])
    #expect(authorization.token?.value == "other-user")
    authorization.replaceToken(with: nil)
    #expect(authorization.token == nil)
  }

  /// Why a client sends a write again.
  enum Reason: CaseIterable {
    case busy, lost, inProgress
  }

  @Test(
    "a call that waits for its retry is not sent with the token of another user",
    arguments: ServiceForm.allCases, Reason.allCases)
  func replacedDuringTheWait(form: ServiceForm, reason: Reason) async throws {
    for token in ["other-user", nil] {
      let authorization = try authorization()
      let client = try client(form, authorization, retry: Self.retry)
      let earlier = transport.requests.count
      let write = Task { try await client.deletePost(1) }
      switch reason {
      case .busy: try await transport.answer(earlier + 1, 503)
      case .lost: try await transport.fail(earlier + 1, with: ServiceError.connectionLost)
      case .inProgress:
        let problem = IdempotencyProblem.inProgress
        try await transport.answer(
          earlier + 1, problem.status, ["Content-Type": IdempotencyProblem.contentType],
          body: String(decoding: HTTPResponse.problem(problem).body, as: UTF8.self))
      }
      await clock.waitForSleepers(2)
      authorization.replaceToken(with: try token.map(Self.token))
      clock.advance(by: .seconds(1))
      await #expect(throws: Self.replaced) { try await write.value }
      #expect(transport.requests.count == earlier + 1)
      let next = Task { try await client.orders() }
      try await transport.answer(earlier + 2)
      _ = try await next.value
      #expect(sent.suffix(2) == ["Bearer t1", token.map { "Bearer \($0)" }], "a new call has the new token")
      try await until { clock.sleeperCount == 0 }
    }
    #expect(refreshes.requests.isEmpty)
  }

  @Test(
    "a call that was sent without a token is sent again after the sign-in", arguments: ServiceForm.allCases)
  func signedInDuringTheWait(form: ServiceForm) async throws {
    let authorization = try authorization()
    authorization.replaceToken(with: nil)
    let client = try client(form, authorization, retry: Self.retry)
    let read = Task { try await client.orders() }
    try await transport.answer(1, 503)
    await clock.waitForSleepers(2)
    authorization.replaceToken(with: try Self.token("t2"))
    clock.advance(by: .seconds(1))
    try await transport.answer(2)
    _ = try await read.value
    #expect(sent == [nil, "Bearer t2"])
  }

  @Test(
    "a redirection is not followed with the token of another user", arguments: ServiceForm.allCases)
  func replacedBeforeARedirection(form: ServiceForm) async throws {
    let authorization = try authorization()
    let client = try client(form, authorization)
    let read = Task { try await client.orders() }
    await transport.waitForRequests(1)
    authorization.replaceToken(with: try Self.token("other-user"))
    try await transport.answer(1, 302, ["Location": "/v2/orders"])
    await #expect(throws: Self.replaced) { try await read.value }
    #expect(sent == ["Bearer t1"])
  }

  @Test("a retry has the refreshed token of the same user", arguments: ServiceForm.allCases)
  func refreshedDuringTheWait(form: ServiceForm) async throws {
    let client = try client(form, try authorization(), retry: Self.retry)
    let write = Task { try await client.deletePost(1) }
    try await transport.answer(1, 503)
    await clock.waitForSleepers(2)
    let read = Task { try await client.orders() }
    try await transport.answer(2, 401)
    try await refreshes.next().succeed(try Self.token("t2"))
    try await transport.answer(3)
    _ = try await read.value
    clock.advance(by: .seconds(1))
    try await transport.answer(4, 401)
    try await refreshes.next().succeed(try Self.token("t3"))
    try await transport.answer(5, body: #"{"deleted":1}"#)
    try await write.value
    #expect(sent == ["t1", "t1", "t2", "t2", "t3"].map { "Bearer \($0)" })
  }

  @Test("a call that a middleware makes within another call has the current token")
  func callWithinACall() async throws {
    let authorization = try authorization()
    let inner = try client(.async, authorization)
    let outer = try StorefrontClient.http(
      .async, StorefrontClient.shop, over: transport,
      options: HTTPOptions(
        retry: .none, middleware: [authorization, SignIn(authorization, then: inner)], clock: clock))
    let read = Task { try await outer.orders() }
    try await transport.answer(1)
    try await transport.answer(2)
    _ = try await read.value
    #expect(sent == ["Bearer other-user", "Bearer t1"])
  }

  /// Replaces the token and makes another call before it passes a request on.
  private struct SignIn: HTTPMiddleware {
    let authorization: BearerAuthorization
    let client: StorefrontClient

    init(_ authorization: BearerAuthorization, then client: StorefrontClient) {
      (self.authorization, self.client) = (authorization, client)
    }

    func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
      authorization.replaceToken(with: BearerToken("other-user"))
      _ = try await client.orders()
      return try await next(request)
    }
  }

  @Test("the token does not leave its origin", arguments: ServiceForm.allCases)
  func otherOrigin(form: ServiceForm) async throws {
    let client = try client(form, try authorization())
    let read = Task { try await client.orders() }
    try await transport.answer(1, 302, ["Location": "https://shop.example/orders"])
    try await transport.answer(2, 401)
    await #expect(throws: ServiceError.self) { try await read.value }
    #expect(sent == ["Bearer t1", nil])
    #expect(refreshes.requests.isEmpty)
  }

  @Test("a refresh can use the storefront whose token it refreshes")
  func refreshThroughItself() async throws {
    let clientOfRefresh = Mutex<StorefrontClient?>(nil)
    let authorization = try BearerAuthorization(
      baseURL: StorefrontClient.shop, token: try Self.token("t1")
    ) { _ in
      _ = try await clientOfRefresh.withLock { $0 }?.orders()
      return try Self.token("t2")
    }
    // One connection: a request that waits for the refresh must not keep its place.
    let client = try client(.async, authorization, connections: 1)
    clientOfRefresh.withLock { $0 = client }
    let read = Task { try await client.orders() }
    try await transport.answer(1, 401)
    try await transport.answer(2)
    try await transport.answer(3)
    _ = try await read.value
    #expect(sent == ["Bearer t1", nil, "Bearer t2"])
  }

  @Test("a refresh with a completion handler, over the network", arguments: ServiceForm.allCases)
  func overHTTP(form: ServiceForm) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
    let url = try server.start()
    server.requireToken("t2")
    let authorization = try BearerAuthorization(baseURL: url, token: try Self.token("t1")) {
      [refreshes] refused, completion in refreshes(refused, completion: completion)
    }
    let client = try StorefrontClient.http(
      form, url,
      options: HTTPOptions(limits: .longerThanATest, retry: .none, middleware: [authorization]))
    let read = Task { try await client.orders() }
    let write = Task {
      try await client.apply(CartChange(product: server.catalog.products[0], delta: 1))
    }
    try await until { authorization.waitingCount == 2 }
    try await refreshes.next().succeed(try Self.token("t2"))
    #expect(try await read.value == server.catalog.orders)
    try await write.value
    #expect(server.cartQuantity(of: server.catalog.products[0].id) == 1)
    #expect(server.requestCount == 4)
    server.requireToken("t3")
    let late = Task { try await client.orders() }
    try await refreshes.next().fail(NoSession())
    await #expect(throws: TokenRefreshError.self) { try await late.value }
  }

  @Test("an unusable base URL is an error")
  func badBase() throws {
    let url = try #require(URL(string: "ftp://shop.example"))
    #expect(throws: BaseURLError(url: url, reason: .notHTTP)) {
      try BearerAuthorization(baseURL: url, token: nil) { _ in throw NoSession() }
    }
  }
}
