import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// When and how a storefront sends a write again.
@Suite("HTTP writes", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct HTTPWriteTests {
  private let transport = ScriptedTransport()
  private let clock = VirtualClock()

  /// Waits 1 s before each of two retries, and polls every 3 s.
  private static let policy = HTTPRetryPolicy(
    backoff: .constant(.seconds(1), limit: 2), longestRetryAfter: .seconds(10), pollInterval: .seconds(3))
  private static let draft = Profile.Draft(name: " Ada ", email: "ada@example.com")
  private static let saved = #"{"id":1,"name":"Ada","email":"Ada@example.com","version":5}"#

  private func client(
    _ form: ServiceForm, retry: HTTPRetryPolicy = policy, middleware: [any HTTPMiddleware] = []
  ) throws -> StorefrontClient {
    let options = HTTPOptions(retry: retry, middleware: middleware, clock: clock)
    return try StorefrontClient.http(form, StorefrontClient.shop, over: transport, options: options)
  }

  enum Write: CaseIterable, Sendable {
    case cart, profile, post, restoration

    var answer: String {
      switch self {
      case .cart: #"{"product":7,"quantity":1}"#
      case .profile: saved
      case .post: #"{"deleted":7}"#
      case .restoration: #"{"restored":7}"#
      }
    }

    func callAsFunction(_ client: StorefrontClient, key: IdempotencyKey = IdempotencyKey()) async throws {
      switch self {
      case .cart:
        let product = CatalogProduct(id: 7, name: "Tea", price: .zero(in: .eur), stock: 1)
        try await client.apply(CartChange(product: product, delta: 1), key: key)
      case .profile: _ = try await client.save(draft, 4)
      case .post: try await client.deletePost(7)
      case .restoration: try await client.restorePost(7)
      }
    }
  }

  private static func problem(_ type: String) -> String { #"{"type":"\#(type)","title":"x"}"# }

  private static let problemFields = ["Content-Type": "Application/Problem+JSON; charset=utf-8"]

  /// The keys of the requests so far, as they were sent.
  private var keys: [String?] { transport.requests.map { $0.value(forHTTPHeaderField: "Idempotency-Key") } }

  private func wait(_ time: Duration) async {
    await clock.waitForSleepers(2)
    clock.advance(by: time)
  }

  @Test(
    "a write whose answer is lost is sent again with the same key and body", arguments: Write.allCases,
    ServiceForm.allCases)
  func retry(write: Write, form: ServiceForm) async throws {
    let client = try client(form)
    let call = Task { try await write(client) }
    try await transport.fail(1, with: ServiceError.connectionLost)
    await wait(.seconds(1) - .nanoseconds(1))
    #expect(transport.requests.count == 1)
    await wait(.nanoseconds(1))
    try await transport.answer(2, 503)
    await wait(.seconds(1))
    try await transport.answer(3, body: write.answer)
    try await call.value
    #expect(keys.count == 3)
    #expect(Set(keys).count == 1)
    #expect(keys[0]?.wholeMatch(of: /"[0-9a-f-]{36}"/) != nil)
    #expect(Set(transport.requests.map(\.httpBody)).count == 1)
    #expect(Set(transport.requests.map(\.httpMethod)).count == 1)
  }

  @Test("each call has another key, except for a cart change, whose key the caller chooses")
  func keysOfCalls() async throws {
    let client = try client(.async)
    let key = try #require(IdempotencyKey("order-1!~"))
    for (index, write) in [Write.cart, .cart, .profile, .profile, .post, .post].enumerated() {
      let call = Task { try await write(client, key: key) }
      try await transport.answer(index + 1, body: write.answer)
      try await call.value
    }
    let read = Task { try await client.orders() }
    try await transport.answer(7)
    _ = try await read.value
    #expect(keys.prefix(2) == [#""order-1!~""#, #""order-1!~""#])
    #expect(Set(keys.prefix(6)).count == 5)
    #expect(keys[6] == nil)
  }

  @Test(
    "a write that the server is still making is sent again at intervals, more often than other retries",
    arguments: Write.allCases, ServiceForm.allCases)
  func stillInProgress(write: Write, form: ServiceForm) async throws {
    let client = try client(form)
    let call = Task { try await write(client) }
    for number in 1...5 {
      let fields = number == 2 ? ["Retry-After": "7"] : number == 3 ? ["Retry-After": "0"] : [:]
      try await transport.answer(
        number, 409, Self.problemFields.merging(fields) { $1 },
        body: Self.problem(IdempotencyProblem.inProgress.rawValue))
      await wait(number == 2 ? .seconds(7) : .seconds(3))
    }
    try await transport.answer(6, body: write.answer)
    try await call.value
    #expect(Set(keys).count == 1)
  }

  @Test(
    "a write that is still in progress at the deadline, or for too long, ends in an error that is no refusal",
    arguments: [("1", 19), ("10", 5), ("11", 0)], ServiceForm.allCases)
  func stillInProgressAtTheEnd(wait: (asked: String, polls: Int), form: ServiceForm) async throws {
    let client = try client(form)
    let key = IdempotencyKey()
    let call = Task { try await Write.cart(client, key: key) }
    for number in 1...(wait.polls + 1) {
      try await transport.answer(
        number, 409, Self.problemFields.merging(["Retry-After": wait.asked]) { $1 },
        body: Self.problem(IdempotencyProblem.inProgress.rawValue))
      if number <= wait.polls { await self.wait(wait.asked == "1" ? .seconds(3) : .seconds(10)) }
    }
    let error = await #expect(throws: ServiceError.self) { try await call.value }
    #expect(error == .stillInProgress(key))
    #expect(error?.isRefusal == false)
    #expect(transport.requests.count == wait.polls + 1)
  }

  @Test("without retries, a write is sent once", arguments: Write.allCases, ServiceForm.allCases)
  func noRetries(write: Write, form: ServiceForm) async throws {
    let client = try client(form, retry: .none)
    let lost = Task { try await write(client) }
    try await transport.fail(1, with: ServiceError.timedOut)
    await #expect(throws: ServiceError.timedOut) { try await lost.value }
    let key = IdempotencyKey()
    let waiting = Task { try await Write.cart(client, key: key) }
    try await transport.answer(
      2, 409, Self.problemFields, body: Self.problem(IdempotencyProblem.inProgress.rawValue))
    await #expect(throws: ServiceError.stillInProgress(key)) { try await waiting.value }
    #expect(transport.requests.count == 2)
  }

  @Test("the key of another write is an error that names the key", arguments: ServiceForm.allCases)
  func reused(form: ServiceForm) async throws {
    let client = try client(form)
    let key = IdempotencyKey()
    let call = Task { try await Write.cart(client, key: key) }
    try await transport.answer(
      1, 422, Self.problemFields, body: Self.problem(IdempotencyProblem.reused.rawValue))
    await #expect(throws: ServiceError.keyReused(key)) { try await call.value }
  }

  @Test(
    "a conflict of another kind is not taken for one of the key",
    arguments: [
      (409, problemFields, problem("about:blank")),
      (422, problemFields, problem(IdempotencyProblem.inProgress.rawValue)),
      (409, [:], problem(IdempotencyProblem.inProgress.rawValue)),
      (409, problemFields, "<html>"),
    ] as [(Int, [String: String], String)])
  func otherConflicts(status: Int, fields: [String: String], body: String) async throws {
    let client = try client(.async)
    let call = Task { try await Write.cart(client) }
    try await transport.answer(1, status, fields, body: body)
    let error = await #expect(throws: ServiceError.self) { try await call.value }
    guard case .status(status, _)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }

  @Test(
    "if a repeated deletion finds no such post, the post is deleted", arguments: ServiceForm.allCases)
  func repeatedDeletion(form: ServiceForm) async throws {
    let client = try client(form)
    let missing = #"{"error":"there is no post 7"}"#
    let repeated = Task { try await client.deletePost(7) }
    try await transport.fail(1, with: ServiceError.connectionLost)
    await wait(.seconds(1))
    try await transport.answer(2, 404, body: missing)
    try await repeated.value

    let first = Task { try await client.deletePost(7) }
    try await transport.answer(3, 404, body: missing)
    await #expect(throws: PostError.unknownPost(7)) { try await first.value }

    let proxied = Task { try await client.deletePost(7) }
    try await transport.fail(4, with: ServiceError.connectionLost)
    await wait(.seconds(1))
    try await transport.answer(5, 404, ["Content-Type": "text/html"], body: "<html>")
    let error = await #expect(throws: ServiceError.self) { try await proxied.value }
    guard case .status(404, _)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }

  @Test(
    "if a repeated restoration finds no such post, its outcome is unknown", arguments: ServiceForm.allCases)
  func repeatedRestoration(form: ServiceForm) async throws {
    let client = try client(form)
    let restoration = Task { try await client.restorePost(7) }
    try await transport.fail(1, with: ServiceError.connectionLost)
    await wait(.seconds(1))
    try await transport.answer(2, 404, body: #"{"error":"there is no post 7"}"#)
    await #expect(throws: ServiceError.status(code: 404, message: "there is no post 7")) {
      try await restoration.value
    }
  }

  @Test(
    "a deletion that cannot have been made before is not taken for deleted",
    arguments: ServiceForm.allCases, [true, false])
  func deletionAfterRefusal(form: ServiceForm, isRefused: Bool) async throws {
    let client = try client(form)
    let deletion = Task { try await client.deletePost(7) }
    if isRefused {
      try await transport.answer(1, 429)
    } else {
      try await transport.fail(1, with: ServiceError.unreachable("no route"))
    }
    await wait(.seconds(1))
    try await transport.answer(2, 404, body: #"{"error":"there is no post 7"}"#)
    await #expect(throws: PostError.unknownPost(7)) { try await deletion.value }
  }

  @Test(
    "a repeated save that conflicts with its own result has succeeded",
    arguments: [
      ("Ada", 5, true), ("Ada", 6, false), ("Eve", 5, false),
    ], ServiceForm.allCases)
  func repeatedSave(current: (name: String, version: Int, isOwn: Bool), form: ServiceForm) async throws {
    let client = try client(form)
    let profile = Profile(
      id: 1, name: current.name, email: "ada@example.com", version: current.version)
    let conflict =
      #"{"error":"x","current":{"id":1,"name":"\#(current.name)","email":"ada@example.com","version":\#(current.version)}}"#
    let call = Task { try await client.save(Self.draft, 4) }
    try await transport.fail(1, with: ServiceError.timedOut)
    await wait(.seconds(1))
    try await transport.answer(2, 409, body: conflict)
    if current.isOwn {
      #expect(try await call.value == profile)
    } else {
      await #expect(throws: ProfileError.conflict(current: profile)) { try await call.value }
    }
    let first = Task { try await client.save(Self.draft, 4) }
    try await transport.answer(3, 409, body: conflict)
    await #expect(throws: ProfileError.conflict(current: profile)) { try await first.value }
  }

  @Test("a write that is sent again with a new token keeps its key", arguments: ServiceForm.allCases)
  func newToken(form: ServiceForm) async throws {
    let tokens = try ["t1", "t2"].map { text in try #require(BearerToken(text)) }
    let authorization = try BearerAuthorization(baseURL: StorefrontClient.shop, token: tokens[0]) { _ in
      tokens[1]
    }
    let client = try client(form, middleware: [authorization])
    let call = Task { try await Write.cart(client) }
    try await transport.answer(1, 401)
    try await transport.answer(2, body: Write.cart.answer)
    try await call.value
    #expect(Set(keys).count == 1)
    #expect(
      transport.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer t1", "Bearer t2"])
  }

  @Test("a cancelled write is not sent again", arguments: ServiceForm.allCases)
  func cancellation(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let client = try client(form)
      tracker.track(client.service, "storefront")
      let call = Task { try await Write.cart(client) }
      try await transport.fail(1, with: ServiceError.connectionLost)
      await clock.waitForSleepers(2)
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      try await until { clock.sleeperCount == 0 }
    }
    clock.advance(by: .seconds(60))
    #expect(transport.requests.count == 1)
  }
}

@Suite("The field for keys", .timeLimit(.minutes(5)), .endsWaits)
struct IdempotencyFieldTests {
  @Test(
    "the field contains a key as a string of a structured field",
    arguments: [
      ("\"a\"", "a"), ("\"\(String(repeating: "x", count: 255))\"", String(repeating: "x", count: 255)),
      ("a", nil), ("\"", nil), ("\"\"", nil), ("\"a", nil), ("a\"", nil), ("\"a b\"", nil), ("\"a\"b\"", nil),
      ("\"a\\\\\"", nil), ("\"ö\"", nil), ("\"a\";x=1", nil),
      ("\"\(String(repeating: "x", count: 256))\"", nil),
    ] as [(String, String?)])
  func field(value: String, text: String?) throws {
    #expect(IdempotencyField.key(in: value)?.text == text)
    guard let text else { return }
    #expect(IdempotencyField.value(of: try #require(IdempotencyKey(text))) == value)
  }
}
