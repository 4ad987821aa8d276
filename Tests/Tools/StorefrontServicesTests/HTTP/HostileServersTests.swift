import AsyncViewModels
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

/// Each ``HostileResponse`` to a read and to a write of both forms of the storefront, over all transports.
@Suite("A hostile server", .usesSockets, .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct HostileServersTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
  private let url: URL

  private let clock = VirtualClock()

  private static let limits = HTTPLimits(
    deadline: .seconds(60), idleTimeout: .seconds(600), bodyLength: 256 * 1024)

  init() throws { url = try server.start() }

  private func client(_ form: HTTPForm) throws -> StorefrontClient {
    try StorefrontClient.http(form, url, limits: Self.limits, clock: clock)
  }

  /// Returns how `call` ends. If it must time out, lets its deadline pass once the server has received the request, and waits until
  /// the client has closed the connection.
  ///
  /// The server must not close it first: on Linux, half of a head would then end a process that uses `URLSession`.
  private func ending(
    _ expected: HostileResponse.Ending, of call: @escaping () async throws -> Void
  ) async -> CallEnding {
    let received = server.requestCount + 1
    async let passed: Void = {
      guard expected == .timedOut else { return }
      await server.waitForRequests(received)
      clock.advance(by: Self.limits.deadline)
    }()
    let ending = await CallEnding(of: call)
    await passed
    if expected == .timedOut { await server.waitForEndedConnections(1) }
    return ending
  }

  @Test(
    "a read ends in its value or a typed error, and the next read is not affected",
    arguments: HostileResponse.all, HTTPForm.all)
  func read(response: HostileResponse, form: HTTPForm) async throws {
    guard let expected = response.read(over: form.transport) else { return }
    let client = try client(form)
    _ = try await client.profile()
    // A client may repeat a read over a new connection, if a reused connection ends without an answer.
    server.fail(next: expected == .connectionLost ? 4 : 1, with: .hostile(response), on: "/profile")
    let ending = await ending(expected) { _ = try await client.profile() }
    #expect(ending == .expected(expected))
    #expect(try await client.orders() == server.catalog.orders)
  }

  @Test(
    "a write is sent once, with its body, and ends in its value or a typed error",
    arguments: HostileResponse.all, HTTPForm.all)
  func write(response: HostileResponse, form: HTTPForm) async throws {
    guard let expected = response.write(over: form.transport) else { return }
    let client = try client(form)
    _ = try await client.profile()
    server.recordRequests()
    server.fail(with: .hostile(response))
    let change = CartChange(product: server.catalog.products[0], delta: 1)
    let ending = await ending(expected) { try await client.apply(change) }
    #expect(ending == .expected(expected))
    #expect(server.recordedRequests.map(\.line) == ["POST /cart/changes HTTP/1.1"])
    #expect(server.recordedRequests.map(\.body) == [#"{"product":1,"delta":1}"#])
    // The server handles one request at a time. After the next response, it has handled the write.
    _ = try await client.profile()
    #expect(server.cartQuantity(of: change.product.id) == 1)
  }

  @Test("a deletion that is not confirmed fails", arguments: ServiceForm.allCases)
  func unconfirmedDeletion(form: ServiceForm) async throws {
    let client = try StorefrontClient.http(form, url)
    for body in [#"{"deleted":2}"#, "true", #"{"error":"no"}"#] {
      server.fail(with: .body(body))
      let ending = await CallEnding { try await client.deletePost(1) }
      #expect(ending == .expected(.malformed), "\(body)")
    }
  }

  @Test("a restoration that is not confirmed fails", arguments: ServiceForm.allCases)
  func unconfirmedRestoration(form: ServiceForm) async throws {
    let client = try StorefrontClient.http(form, url)
    for body in [#"{"restored":2}"#, #"{"deleted":1}"#, "true", #"{"error":"no"}"#] {
      server.fail(with: .body(body))
      let ending = await CallEnding { try await client.restorePost(1) }
      #expect(ending == .expected(.malformed), "\(body)")
    }
  }

  @Test("a read that gets the response to another read fails", arguments: ServiceForm.allCases)
  func mixedUpReads(form: ServiceForm) async throws {
    let client = try StorefrontClient.http(form, url)
    let product = { (id: Int) in
      #"{"id":\#(id),"name":"Tea","stock":1,"price":{"minorUnits":1,"currency":"EUR"}}"#
    }
    let page = { (index: Int, ids: [Int]) in
      #"{"index":\#(index),"isLast":false,"items":[\#(ids.map(product).joined(separator: ","))]}"#
    }
    let draft = Profile.Draft(name: " Ada ", email: "Ada@example.com")
    let calls: [(body: String, message: String?, call: @Sendable () async throws -> Void)] = [
      (product(2), "GET /products/1: it is product 2 instead of 1", { _ = try await client.product(1) }),
      (product(1), nil, { _ = try await client.product(1) }),
      (
        page(4, [1, 2]), "GET /products: it is page 4 instead of 3",
        { _ = try await client.page(PageRequest(index: 3, size: 2)) }
      ),
      (
        page(3, [1, 2, 3]), "GET /products: it has 3 items instead of 2",
        { _ = try await client.page(PageRequest(index: 3, size: 2)) }
      ),
      (page(3, [1, 2]), nil, { _ = try await client.page(PageRequest(index: 3, size: 2)) }),
      (page(3, []), nil, { _ = try await client.page(PageRequest(index: 3, size: 2)) }),
      (
        #"{"items":[],"next":"c"}"#, "GET /products: it is a page by cursor instead of page 3",
        { _ = try await client.page(PageRequest(index: 3, size: 2)) }
      ),
      (#"{"items":[],"next":"c"}"#, nil, { _ = try await client.page(PageRequest(size: 2)) }),
      (
        page(1, [1, 2]), "GET /products: it is page 1 instead of 0",
        { _ = try await client.page(PageRequest(size: 2)) }
      ),
      (
        page(1, [1, 2]), "GET /products: it is page 1 instead of a page by cursor",
        { _ = try await client.page(PageRequest(cursor: "c", size: 2)) }
      ),
      (
        #"{"items":[\#(product(1)),\#(product(2)),\#(product(3))],"next":null}"#,
        "GET /products: it has 3 items instead of 2",
        { _ = try await client.page(PageRequest(cursor: "c", size: 2)) }
      ),
      (
        #"{"items":[\#(product(1))],"next":null}"#, nil,
        { _ = try await client.page(PageRequest(cursor: "c", size: 2)) }
      ),
      (
        page(0, []), "GET /search: it is page 0 instead of a page by cursor",
        { _ = try await client.hits("tea", PageRequest(size: 2)) }
      ),
      (#"{"items":[],"next":null}"#, nil, { _ = try await client.hits("tea", PageRequest(size: 2)) }),
      (
        #"{"id":1,"name":"Eve","email":"ada@example.com","version":2}"#,
        "PUT /profile: it confirms other values than those that were sent",
        { _ = try await client.save(draft, 1) }
      ),
      (
        #"{"id":1,"name":"Ada","email":"eve@example.com","version":2}"#,
        "PUT /profile: it confirms other values than those that were sent",
        { _ = try await client.save(draft, 1) }
      ),
      (
        #"{"id":1,"name":"Ada","email":"ada@example.com","version":2}"#, nil,
        { _ = try await client.save(draft, 1) }
      ),
    ]
    for (body, message, call) in calls {
      server.fail(with: .body(body))
      do {
        try await call()
        #expect(message == nil)
      } catch {
        #expect(error as? ServiceError == message.map { .malformed($0) }, "\(error)")
      }
    }
  }

  @Test(
    "a write after the server has closed the idle connection arrives once", arguments: HTTPForm.all)
  func staleConnection(form: HTTPForm) async throws {
    let client = try client(form)
    let product = server.catalog.products[0]
    for round in 1...3 {
      _ = try await client.profile()
      server.closeIdleConnections()
      await server.waitForEndedConnections(server.connectionCount)
      try await client.apply(CartChange(product: product, delta: 1))
      #expect(server.cartQuantity(of: product.id) == round)
    }
  }

  @Test("redirections in a circle end", arguments: HTTPForm.all)
  func circle(form: HTTPForm) async throws {
    let bytes = Array("HTTP/1.1 302 Found\r\nLocation: /profile\r\nContent-Length: 0\r\n\r\n".utf8)
    server.fail(next: 100, with: .bytes(bytes, end: .next))
    let client = try client(form)
    await #expect(throws: ServiceError.redirected(to: "\(url)/profile")) { try await client.profile() }
    #expect(server.requestCount == 6)
  }

  @Test("cancelling a download ends it and its connection", arguments: HTTPForm.all)
  func cancelledDownload(form: HTTPForm) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"
    server.fail(with: .bytes(Array(head.utf8), end: .silence), on: "/profile")
    let client = try client(form)
    let download = Task { try await client.profile() }
    await server.waitForRequests(1)
    download.cancel()
    await #expect(throws: CancellationError.self) { try await download.value }
    await server.waitForEndedConnections(1)
    try Task.checkCancellation()
    #expect(try await client.orders() == server.catalog.orders)
  }

  @Test("a storefront is deallocated after each response", arguments: HostileResponse.all, HTTPForm.all)
  func lifetime(response: HostileResponse, form: HTTPForm) async throws {
    guard let expected = response.read(over: form.transport) else { return }
    try await LeakTracker.check { tracker in
      let client = try client(form)
      tracker.track(client.service, "storefront")
      server.fail(with: .hostile(response))
      _ = await ending(expected) { _ = try await client.profile() }
    }
    // A transport that never ends would keep its connection open.
    await server.waitForEndedConnections(server.connectionCount)
    try Task.checkCancellation()
  }

  @Test("a read is cancelled at any moment while it is redirected", arguments: HTTPForm.all)
  func cancelledRedirection(form: HTTPForm) async throws {
    let client = try client(form)
    let bytes = Array("HTTP/1.1 302 Found\r\nLocation: /profile\r\nContent-Length: 0\r\n\r\n".utf8)
    server.fail(next: .max, with: .bytes(bytes, end: .next))
    for round in 0..<200 {
      let sent = server.requestCount
      let request = Task { try await client.profile() }
      await server.waitForRequests(sent + 1 + round % 5)
      for _ in 0..<(round / 5) { await Task.yield() }
      request.cancel()
      let error = await #expect(throws: (any Error).self) { try await request.value }
      #expect(error is CancellationError || error as? ServiceError == .redirected(to: "\(url)/profile"))
    }
  }

  #if os(Linux)
    /// A defect of `URLSession` in Swift 6.3, which its main branch repairs (swift-corelibs-foundation, pull request 5286).
    /// When this test fails, `URLSession` can replace libcurl, if it also passes the other tests.
    @Test("on Linux, half of a head ends a process that uses URLSession")
    func halfOfAHead() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let server = LoopbackHTTPServer(catalog: .seeded(count: 1))
        let client = try HTTPStorefront(
          baseURL: try server.start(),
          options: HTTPOptions(limits: .longerThanATest, retry: .none, configuration: .ephemeral))
        server.fail(with: .bytes(Array("HTTP/1.1 200 OK\r\nContent-".utf8)))
        _ = try? await client.profile()
      }
      let output = String(decoding: exit.standardErrorContent, as: UTF8.self)
      #expect(output.contains("there's no response"), "\(output)")
    }
  #endif
}
