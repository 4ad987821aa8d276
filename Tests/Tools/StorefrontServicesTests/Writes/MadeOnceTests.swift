import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Writes over connections that break, and a server that counts what it makes: sent twice, made once.
@Suite("A write over a broken connection", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct MadeOnceTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
  private let url: URL

  init() throws {
    url = try server.start()
    server.recordRequests()
  }

  private func client(
    _ form: HTTPForm, retry: HTTPRetryPolicy = HTTPRetryPolicy(backoff: .constant(.zero, limit: 1)),
    clock: any Clock<Duration> = ContinuousClock()
  ) throws -> StorefrontClient {
    try StorefrontClient.http(
      form.form, url,
      options: HTTPOptions(
        limits: .longerThanATest, retry: retry,
        configuration: form.transport == .urlSession ? .ephemeral : nil, clock: clock))
  }

  /// A write that can be made again and again. Each time, it has another effect.
  enum Write: CaseIterable, Sendable {
    case cart, profile, post, restoration

    func callAsFunction(_ client: StorefrontClient, _ server: LoopbackHTTPServer) async throws {
      switch self {
      case .cart: try await client.apply(CartChange(product: server.catalog.products[0], delta: 1))
      case .profile:
        let draft = Profile.Draft(name: "Ada \(server.profile.version)", email: "ada@example.com")
        #expect(try await client.save(draft, server.profile.version) == server.profile)
      case .post:
        let id = try #require(server.posts.first?.id)
        try await client.deletePost(id)
        #expect(!server.posts.contains { $0.id == id })
      case .restoration:
        // Restoring a post that is not deleted has no effect, but the server counts it as a write.
        try await client.restorePost(7)
        #expect(server.posts.contains { $0.id == 7 })
      }
    }
  }

  /// Checks the last write: how often it was sent and made, and that all its requests are equal.
  private func expectLastWrite(sent: Int, repeated: Int, after before: LoopbackCounts) {
    let requests = server.recordedRequests.suffix(sent)
    #expect(server.requestCount - before.requests == sent)
    #expect(server.writeCount - before.writes == 1)
    #expect(server.repeatedWriteCount - before.repeated == repeated)
    #expect(Set(requests.map { $0.headers["idempotency-key"] }).count == 1)
    #expect(Set(requests.map(\.line)).count == 1)
    #expect(Set(requests.map(\.body)).count == 1)
  }

  private struct LoopbackCounts {
    let requests: Int
    let writes: Int
    let repeated: Int

    init(_ server: LoopbackHTTPServer) {
      (requests, writes, repeated) = (server.requestCount, server.writeCount, server.repeatedWriteCount)
    }
  }

  @Test(
    "a connection that dies before the server handles the write, or before its answer",
    arguments: Write.allCases, HTTPForm.all)
  func beforeTheAnswer(write: Write, form: HTTPForm) async throws {
    let client = try client(form)
    for (fault, repeated) in [
      (LoopbackFault.drop, 0), (.status(503), 0), (.cut(after: 0), 1), (.cut(after: 0, isReset: true), 1),
    ] {
      let before = LoopbackCounts(server)
      server.fail(with: fault)
      try await write(client, server)
      expectLastWrite(sent: 2, repeated: repeated, after: before)
    }
    #expect(Set(server.madeKeys).count == 4)
  }

  @Test("a connection that dies at any byte of the answer", arguments: HTTPForm.all, [false, true])
  func atEachByte(form: HTTPForm, isReset: Bool) async throws {
    let client = try client(form)
    let product = server.catalog.products[0]
    let (one, key) = (CartChange(product: product, delta: 1), IdempotencyKey())
    // The longest answer has this length. The quantity never has more digits, because each round empties the cart.
    let answer = HTTPResponse.json(["product": 1, "quantity": 1])
    let (length, bodyLength) = (answer.encoded(keepsAlive: true).count, answer.body.count)
    // On Linux, half of a head ends a process that uses `URLSession`.
    let cuts = form.transport == .urlSession ? [0] + Array(length - bodyLength..<length) : Array(0..<length)
    try await client.apply(one, key: key)
    for cut in cuts {
      server.emptyCart()
      let before = LoopbackCounts(server)
      server.fail(with: .cut(after: cut, isReset: isReset))
      try await client.apply(one)
      expectLastWrite(sent: 2, repeated: 1, after: before)
      #expect(server.cartQuantity(of: product.id) == 1)
    }
    let before = LoopbackCounts(server)
    server.emptyCart()
    server.fail(with: .cut(after: length))
    try await client.apply(one)
    expectLastWrite(sent: 1, repeated: 0, after: before)
  }

  @Test(
    "the answers to a save and a deletion can be cut off in the middle", arguments: Write.allCases,
    HTTPForm.all
  )
  func withinTheAnswer(write: Write, form: HTTPForm) async throws {
    let client = try client(form)
    for isReset in [false, true] {
      let before = LoopbackCounts(server)
      server.fail(with: isReset ? .hostile(try Self.resetWithinTheBody) : .truncate)
      try await write(client, server)
      expectLastWrite(sent: 2, repeated: 1, after: before)
    }
  }

  private static var resetWithinTheBody: HostileResponse {
    get throws { try #require(HostileResponse.all.first { $0.name == "a reset within the body" }) }
  }

  @Test("a server that is still making the write is asked again", arguments: Write.allCases, HTTPForm.all)
  func stillInProgress(write: Write, form: HTTPForm) async throws {
    let clock = VirtualClock()
    let client = try client(
      form, retry: HTTPRetryPolicy(backoff: .constant(.seconds(1), limit: 1)), clock: clock)
    let before = LoopbackCounts(server)
    server.fail(with: .cut(after: 0))
    server.fail(next: 1, with: .stillInProgress())
    server.fail(next: 1, with: .stillInProgress(after: "5"))
    let call = Task { try await write(client, server) }
    for seconds in [1, 1, 5] {
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(seconds))
    }
    try await call.value
    expectLastWrite(sent: 4, repeated: 1, after: before)
  }

  @Test(
    "a change whose answer was lost is made once, even if the server starts again", arguments: HTTPForm.all)
  func restart(form: HTTPForm) async throws {
    let product = server.catalog.products[0]
    let (change, key) = (CartChange(product: product, delta: 1), IdempotencyKey())
    server.fail(with: .cut(after: 0))
    let first = try client(form, retry: .none)
    await #expect(throws: ServiceError.connectionLost) { try await first.apply(change, key: key) }
    server.stop()
    let second = try StorefrontClient.http(form, try server.start())
    try await second.apply(change, key: key)
    #expect(server.madeKeys == [key])
    #expect(server.cartQuantity(of: product.id) == 1)
  }

  @Test(
    "a deletion and a save whose answers were lost succeed, even if the server has forgotten the key",
    arguments: [Write.profile, .post], HTTPForm.all)
  func forgottenKey(write: Write, form: HTTPForm) async throws {
    let clock = VirtualClock()
    let client = try client(
      form, retry: HTTPRetryPolicy(backoff: .constant(.seconds(1), limit: 1)), clock: clock)
    let before = LoopbackCounts(server)
    server.fail(with: .cut(after: 0))
    let call = Task { try await write(client, server) }
    await clock.waitForSleepers(2)
    server.forgetKeys()
    clock.advance(by: .seconds(1))
    try await call.value
    expectLastWrite(sent: 2, repeated: 0, after: before)
  }

  @Test(
    "a write that is cancelled at any moment is made at most once, and can be sent again",
    arguments: HTTPForm.all)
  func cancelled(form: HTTPForm) async throws {
    let client = try client(form)
    let product = server.catalog.products[0]
    var keys: [IdempotencyKey] = []
    for round in 0..<40 {
      server.emptyCart()
      let (change, key) = (CartChange(product: product, delta: 1), IdempotencyKey())
      keys.append(key)
      server.fail(with: round % 2 == 0 ? .cut(after: 0) : .drop)
      let call = Task { try await client.apply(change, key: key) }
      for _ in 0..<(round * 3) { await Task.yield() }
      call.cancel()
      if case .failure(let error) = await call.result { #expect(error is CancellationError) }
      // If the cancelled call was not sent, its fault affects this one, which sends a second request.
      try await client.apply(change, key: key)
    }
    #expect(server.madeKeys == keys)
    #expect(server.cartQuantity(of: product.id) == 1)
  }
}
