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

@Suite("HTTP storefront", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct HTTPStorefrontTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 100))
  private let url: URL

  init() throws {
    url = try server.start()
  }

  private var product: CatalogProduct { server.catalog.products[0] }

  @Test("every service returns the data of the server", arguments: HTTPForm.all)
  func everyEndpoint(form: HTTPForm) async throws {
    let (client, catalog) = (try StorefrontClient.http(form, url), server.catalog)
    #expect(
      try await client.page(PageRequest(index: 3, size: 30))
        == Page(items: Array(catalog.products[90..<100]), index: 3, isLast: true))
    #expect(try await client.product(7) == catalog.products[6])
    #expect(try await client.profile() == catalog.profile)
    #expect(try await client.orders() == catalog.orders)
    #expect(try await client.recommendations() == catalog.recommendations)
    let hits = try await client.search(product.name.uppercased())
    #expect(hits.first?.title == product.name)
    try await client.apply(CartChange(product: product, delta: 1))
    #expect(server.cartQuantity(of: product.id) == 1)
  }

  @Test("the hits of a search arrive in pages, by cursor", arguments: HTTPForm.all)
  func searchPages(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    let all = try await client.hits("a", PageRequest(size: 1_000))
    #expect(all.isLast && all.items.count > 3)
    #expect(try await client.allHits("a", pageSize: 3) == all.items)
  }

  @Test(
    "status 410 means that the cursor has expired, but only if the service itself reports it for a cursor",
    arguments: HTTPForm.all)
  func expiredCursor(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    let cursor = PageCursor(rawValue: "unknown+/=")
    let request = PageRequest(at: .cursor(cursor), size: 2)
    await #expect(throws: PageError.expired(cursor)) { try await client.hits("a", request) }
    server.fail(with: .status(410), on: "/products")
    await #expect(throws: PageError.expired(cursor)) { try await client.page(request) }
    let failed = ServiceError.status(code: 410, message: "scripted failure")
    server.fail(with: .status(410), on: "/products")
    await #expect(throws: failed) { try await client.page(PageRequest(size: 2)) }
    server.fail(with: .status(410), on: "/search")
    await #expect(throws: failed) { try await client.hits("a", PageRequest(size: 2)) }
    let portal = "HTTP/1.1 410 Gone\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno"
    server.fail(with: .bytes(Array(portal.utf8), end: .next))
    let error = await #expect(throws: ServiceError.self) { try await client.hits("a", request) }
    guard case .status(410, _)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test("a base URL can have a path, with or without a trailing slash", arguments: ["/", "/shop", "/shop/"])
  func basePath(path: String) async throws {
    let client = try StorefrontClient.http(.async, try #require(URL(string: path, relativeTo: url)))
    if path == "/" {
      #expect(try await client.profile() == server.catalog.profile)
    } else {
      await #expect(throws: ServiceError.notFound("GET /profile: no resource at /shop/profile")) {
        try await client.profile()
      }
    }
  }

  @Test(
    "a query reaches the server unchanged", arguments: HTTPForm.all,
    ["50% + tax & more = 100?", "#1/2", "köttbullar 🥣", "a;b,c:d@e"])
  func queries(form: HTTPForm, query: String) async throws {
    let product = CatalogProduct(id: 1, name: "The \(query) thing", price: .zero(in: .eur), stock: 1)
    // A search in which a plus became a space would find this product, too.
    let decoy = CatalogProduct(
      id: 2, name: product.name.replacing("+", with: " ") + " too", price: product.price, stock: 1)
    let products = query.contains("+") ? [product, decoy] : [product]
    let server = LoopbackHTTPServer(catalog: Catalog(products: products))
    let client = try StorefrontClient.http(form, try server.start())
    #expect(try await client.search(query).map(\.title) == [product.name])
  }

  @Test(
    "a cart change that the server refuses throws a cart error, and a server failure throws a service error",
    arguments: HTTPForm.all)
  func cartErrors(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    let unknown = CatalogProduct(id: 999, name: "", price: .zero(in: .eur), stock: 9)
    await #expect(throws: CartError.unknownProduct(999)) {
      try await client.apply(CartChange(product: unknown, delta: 1))
    }
    let reason = "only \(product.stock) in stock, 0 in the cart"
    await #expect(throws: CartError.refused(1, reason: reason)) {
      try await client.apply(CartChange(product: product, delta: 1_000))
    }
    server.fail(with: .status(500))
    await #expect(throws: ServiceError.status(code: 500, message: "scripted failure")) {
      try await client.apply(CartChange(product: product, delta: 1))
    }
  }

  @Test("an unknown product is not found, and the error names its id", arguments: HTTPForm.all)
  func unknownProduct(form: HTTPForm) async throws {
    await #expect(throws: ServiceError.notFound("product 999")) {
      try await StorefrontClient.http(form, url).product(999)
    }
  }

  @Test("a profile is saved or refused as the server decides", arguments: HTTPForm.all)
  func profile(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    try await expectProfileRules(client, first: server.catalog.profile)
    #expect(try await client.profile() == server.profile)
    let draft = Profile.Draft(server.profile)
    for status in [409, 422] {
      server.fail(with: .status(status), on: "/profile")
      await #expect(throws: ServiceError.status(code: status, message: "scripted failure")) {
        try await client.save(draft, 1)
      }
    }
  }

  @Test("a post can be deleted only once, and restored any number of times", arguments: HTTPForm.all)
  func posts(form: HTTPForm) async throws {
    try await expectPostRules(try StorefrontClient.http(form, url), first: server.catalog.posts)
    #expect(server.posts.count == server.catalog.posts.count - 2)
  }

  @Test("a status other than success is an error with the server's reason", arguments: HTTPForm.all)
  func statuses(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    await #expect(
      throws: ServiceError.status(
        code: 400, message: "q: the search text is missing")
    ) { try await client.search("") }
    server.fail(with: .status(404), on: "/orders")
    await #expect(throws: ServiceError.notFound("GET /orders: scripted failure")) {
      try await client.orders()
    }
    for status in 300...303 {
      // Does not compare the message: on Linux, `URLSession` drops the body of some redirections.
      server.fail(with: .status(status))
      let error = await #expect(throws: ServiceError.self) { try await client.deletePost(1) }
      guard case .status(status, _)? = error else {
        return #expect(Bool(false), "\(status): \(String(describing: error))")
      }
    }
    server.fail(next: 2, with: .status(503))
    for _ in 0..<2 {
      await #expect(throws: ServiceError.status(code: 503, message: "scripted failure")) {
        try await client.profile()
      }
    }
    #expect(try await client.profile() == server.catalog.profile)
  }

  @Test(
    "an error status without a reason has the standard description of the status",
    arguments: HTTPForm.all)
  func statusWithoutReason(form: HTTPForm) async throws {
    server.answer { _, completion in
      completion(.json(["no": "reason"], status: 503))
      return .finished
    }
    let standard = HTTPURLResponse.localizedString(forStatusCode: 503)
    try #require(!standard.isEmpty)
    await #expect(throws: ServiceError.status(code: 503, message: standard)) {
      try await StorefrontClient.http(form, url).profile()
    }
  }

  @Test(
    "the error for a malformed answer names the endpoint and the field", arguments: HTTPForm.all,
    [
      (#"{"id": 1, "name": "Ada"}"#, "GET /profile: email: it is missing"),
      (#"{"id": "1", "name": "Ada", "email": ""}"#, "GET /profile: id: "), ("<html>", "GET /profile: "),
      ("", "GET /profile: "),
    ])
  func malformed(form: HTTPForm, answer: (body: String, message: String)) async throws {
    let client = try StorefrontClient.http(form, url)
    server.fail(with: .body(answer.body))
    let error = await #expect(throws: ServiceError.self) { try await client.profile() }
    guard case .malformed(let text)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(text.hasPrefix(answer.message))
    #expect(text.count > "GET /profile: ".count)
  }

  @Test("the error for a malformed nested field contains its path", arguments: HTTPForm.all)
  func codingPath(form: HTTPForm) async throws {
    server.fail(
      with: .body(
        #"{"index":0,"isLast":true,"items":[{"id":1,"name":"","stock":1,"price":{"minorUnits":1,"currency":"ZZZ"}}]}"#
      ))
    await #expect(
      throws: ServiceError.malformed(
        #"GET /products: items[0].price.currency: The currency code "ZZZ" is unknown."#)
    ) { try await StorefrontClient.http(form, url).page(PageRequest(index: 0, size: 1)) }
  }

  @Test(
    "a broken connection, a missing server and a server without TLS differ", arguments: HTTPForm.all)
  func noConnection(form: HTTPForm) async throws {
    func expect(_ expected: ServiceError, from url: String) async throws {
      let client = try StorefrontClient.http(form, try #require(URL(string: url)))
      await #expect(throws: expected) { try await client.profile() }
    }
    server.fail(with: .truncate)
    try await expect(.connectionLost, from: "\(url)")
    server.fail(next: 10, with: .drop)
    try await expect(.connectionLost, from: "\(url)")
    // Nothing listens on port 1. The port of a stopped server is unsuitable, because another
    // test may already use it.
    try await expect(.unreachable("the host does not accept the connection"), from: "http://127.0.0.1:1")
    try await expect(.unreachable("the host is unknown"), from: "http://no-such-host.invalid")
    try await expect(.insecure, from: "\(url)".replacing("http://", with: "https://"))
  }

  @Test(
    "a server that is silent for the idle timeout causes a `timedOut` error", arguments: HTTPForm.all)
  func idleTimeout(form: HTTPForm) async throws {
    server.fail(with: .hold)
    // `URLSession` rounds half a second up to one second, its shortest timeout.
    let limits = HTTPLimits(deadline: .seconds(600), idleTimeout: .milliseconds(500))
    let client = try StorefrontClient.http(form, url, limits: limits)
    await #expect(throws: ServiceError.timedOut) { try await client.profile() }
  }

  @Test(
    "a request that lasts longer than its deadline causes a `timedOut` error", arguments: HTTPForm.all
  )
  func deadline(form: HTTPForm) async throws {
    let clock = VirtualClock()
    server.fail(with: .hold)
    let limits = HTTPLimits(deadline: .milliseconds(300), idleTimeout: .seconds(600))
    let client = try StorefrontClient.http(form, url, limits: limits, clock: clock)
    let request = Task { try await client.profile() }
    await server.waitForRequests(1)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(299))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    await #expect(throws: ServiceError.timedOut) { try await request.value }
  }

  @Test("cancelling a request ends it at once with a cancellation error", arguments: HTTPForm.all)
  func cancellation(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    server.fail(with: .bytes([], end: .silence))
    let request = Task { try await client.orders() }
    await server.waitForRequests(1)
    request.cancel()
    await #expect(throws: CancellationError.self) { try await request.value }
    await server.waitForEndedConnections(1)
    try Task.checkCancellation()
    #expect(try await client.orders() == server.catalog.orders, "the next request is not affected")
  }

  @Test("a request that was cancelled before it began is not sent")
  func cancelledBefore() async throws {
    let client = try StorefrontClient.http(.async, url)
    let request = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await client.profile()
    }
    await #expect(throws: CancellationError.self) { try await request.value }
    #expect(server.requestCount == 0)
  }

  @Test("a token that is released cancels its request")
  func droppedToken() async throws {
    let service = try HTTPClosureStorefront(
      baseURL: url, options: HTTPOptions(limits: .longerThanATest, retry: .none))
    server.fail(with: .hold)
    let result = await withCheckedContinuation { continuation in
      _ = service.profile { continuation.resume(returning: $0) }
    }
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test(
    "a request that is cancelled at any moment ends with an answer or a cancellation error",
    arguments: HTTPForm.all)
  func cancellationRace(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    for round in 0..<100 {
      let request = Task { try await client.profile() }
      for _ in 0..<(round % 20) { await Task.yield() }
      request.cancel()
      switch await request.result {
      case .success(let profile): #expect(profile == server.catalog.profile)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }

  @Test(
    "a hundred concurrent requests each get their own answer, and share no more connections than the limit",
    arguments: HTTPForm.all)
  func concurrency(form: HTTPForm) async throws {
    // On Linux, `URLSession` keeps only four connections open. It replaces others, and closes them late.
    let connections = form.transport == .urlSession ? 4 : 6
    var limits = HTTPLimits.longerThanATest
    limits.connections = connections
    let client = try StorefrontClient.http(form, url, limits: limits)
    let pages = try await withThrowingTaskGroup(of: Page<CatalogProduct>.self) { group in
      for index in 0..<100 {
        group.addTask { try await client.page(PageRequest(index: index, size: 1)) }
      }
      return try await group.reduce(into: [Int: CatalogProduct]()) { $0[$1.index] = $1.items.first }
    }
    for (index, product) in server.catalog.products.enumerated() { #expect(pages[index] == product) }
    #expect(server.connectionCount <= connections, "connections are used again")
  }

  @Test("a storefront opens no more connections than its limit", arguments: HTTPForm.all)
  func connectionLimit(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(
      form, url, limits: HTTPLimits(deadline: .seconds(600), idleTimeout: .seconds(600), connections: 2))
    server.fail(next: 6, with: .hold)
    let requests = (1...6).map { _ in Task { try await client.profile() } }
    for round in 1...3 {
      await server.waitForRequests(2 * round)
      server.release()
    }
    for request in requests { #expect(try await request.value == server.catalog.profile) }
    #expect(server.peakConnectionCount == 2)
  }

  @Test("sequential reads share a connection", arguments: HTTPForm.all)
  func keepAlive(form: HTTPForm) async throws {
    let client = try StorefrontClient.http(form, url)
    for _ in 0..<20 { _ = try await client.profile() }
    #expect(server.requestCount == 20)
    #expect(server.connectionCount == 1)
  }

  @Test("a released storefront is deallocated and closes its connections", arguments: HTTPForm.all)
  func lifetime(form: HTTPForm) async throws {
    try await LeakTracker.check { tracker in
      let client = try StorefrontClient.http(form, url)
      tracker.track(client.service, "storefront")
      _ = try await client.profile()
    }
    await server.waitForEndedConnections(1)
    try Task.checkCancellation()
  }

  @Test("releasing the storefront does not end a request in progress")
  func releasedDuringRequest() async throws {
    // A cancelled request can still receive an answer that follows at once, but not in every round.
    for round in 1...20 {
      let (answers, input) = AsyncStream<Result<Profile, any Error>>.makeStream()
      server.fail(with: .hold)
      var service: HTTPClosureStorefront? = try HTTPClosureStorefront(
        baseURL: url, options: HTTPOptions(limits: .longerThanATest, retry: .none))
      let token = service?.profile { input.yield($0) }
      await server.waitForRequests(round)
      service = nil
      server.release()
      let answer = try #require(await answers.first { _ in true })
      #expect(try answer.get() == server.catalog.profile)
      withExtendedLifetime((service, token)) {}
    }
  }

  @Test(
    "an unusable base URL is an error that names the rule",
    arguments: [
      ("file:///tmp", .notHTTP), ("ftp://shop.example", .notHTTP), ("shop.example", .notHTTP),
      ("http:///shop", .noHost), ("http://127.0.0.1:0", .invalidPort),
      ("http://127.0.0.1:65536", .invalidPort),
      ("http://ada:secret@shop.example", .hasUser),
      ("http://shop.example?key=1", .hasQuery), ("http://shop.example/#top", .hasFragment),
    ] as [(String, BaseURLError.Reason)], HTTPForm.all)
  func badBase(base: (url: String, reason: BaseURLError.Reason), form: HTTPForm) throws {
    let url = try #require(URL(string: base.url))
    let error = #expect(throws: BaseURLError(url: url, reason: base.reason)) {
      try StorefrontClient.http(form, url)
    }
    let shown = base.url.replacing("ada:secret@", with: "").prefix { !"?#".contains($0) }
    #expect(try #require(error).description.hasPrefix("\(shown) cannot be the base URL of a storefront: "))
  }
}
