import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import Testing

@Suite("In-memory storefront", .timeLimit(.minutes(5)), .endsWaits)
struct InMemoryStorefrontTests {
  private let catalog = Catalog.seeded(count: 100)
  private let script = StorefrontScript()
  private let clock = VirtualClock()

  private func client(_ form: ServiceForm) -> StorefrontClient {
    switch form {
    case .closure:
      StorefrontClient(
        closures: InMemoryClosureStorefront(catalog.contents, script: script, scheduler: clock))
    case .async: StorefrontClient(InMemoryStorefront(catalog.contents, script: script, clock: clock))
    }
  }

  @Test("every service returns the contents, and every call is logged", arguments: ServiceForm.allCases)
  func everyEndpoint(form: ServiceForm) async throws {
    let client = client(form)
    let (request, change) = (
      PageRequest(index: 3, size: 30), CartChange(product: catalog.products[4], delta: 1)
    )
    #expect(
      try await client.page(request) == Page(items: Array(catalog.products[90..<100]), index: 3, isLast: true)
    )
    #expect(try await client.product(7) == catalog.products[6])
    let hits = try await client.search("OAK").map(\.title)
    #expect(!hits.isEmpty && hits.allSatisfy { $0.contains("Oak") })
    #expect(try await client.cart() == Cart(currency: catalog.products[0].price.currency))
    try await client.apply(change)
    #expect(try await client.profile() == catalog.profile)
    #expect(try await client.orders() == catalog.orders)
    #expect(try await client.recommendations() == catalog.recommendations)
    let draft = Profile.Draft(name: "Ada", email: "ada@example.com")
    #expect(
      try await client.save(draft, 1)
        == Profile(id: catalog.profile.id, name: "Ada", email: "ada@example.com", version: 2))
    #expect(try await client.posts() == catalog.posts)
    try await client.deletePost(30)
    try await client.restorePost(30)
    #expect(
      script.calls == [
        .page(request), .product(7), .search("OAK", PageRequest(size: 50)), .cart, .change(change), .profile,
        .orders,
        .recommendations,
        .saveProfile(draft, basedOn: 1), .posts, .deletePost(30), .restorePost(30),
      ])
    #expect(StorefrontEndpoint.allCases.allSatisfy { script.callCount(of: $0) == 1 })
    #expect(script.cartQuantity(of: 5) == 1)
  }

  @Test("a call with an endless latency on the real clock can be cancelled", arguments: ServiceForm.allCases)
  func endlessLatency(form: ServiceForm) async throws {
    let client =
      switch form {
      case .closure: StorefrontClient(closures: InMemoryClosureStorefront(catalog.contents, script: script))
      case .async: StorefrontClient(InMemoryStorefront(catalog.contents, script: script))
      }
    script.delay(by: .seconds(Int64.max))
    let call = Task { try await client.posts() }
    try await until { script.callCount(of: .posts) == 1 }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test(
    "the next calls of one service fail as scripted, and later calls succeed",
    arguments: ServiceForm.allCases)
  func failures(form: ServiceForm) async throws {
    let client = client(form)
    script.fail(.profile, next: 2, with: ServiceError.timedOut)
    script.fail(.profile, with: ServiceError.unreachable("gone"))
    script.fail(.profile, next: 0, with: ServiceError.notFound("never"))
    for error in [ServiceError.timedOut, .timedOut, .unreachable("gone")] {
      await #expect(throws: error) { try await client.profile() }
    }
    #expect(try await client.profile() == catalog.profile)
    #expect(try await client.orders() == catalog.orders)
  }

  @Test("a call waits for its latency on the injected clock", arguments: ServiceForm.allCases)
  func latency(form: ServiceForm) async throws {
    let client = client(form)
    script.delay(by: .seconds(1), .profile)
    #expect(try await client.orders() == catalog.orders, "other calls take no time")
    let call = Task { try await client.profile() }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await call.value == catalog.profile)
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "a cancelled call ends at once with a cancellation error and has no effect",
    arguments: ServiceForm.allCases)
  func cancellation(form: ServiceForm) async throws {
    let client = client(form)
    script.delay(by: .seconds(1))
    let product = catalog.products[0]
    let call = Task { try await client.apply(CartChange(product: product, delta: 1)) }
    await clock.waitForSleepers(1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(clock.sleeperCount == 0)
    #expect(script.cartQuantity(of: product.id) == 0)
  }

  @Test("a cancelled call without latency throws a cancellation error instead of its scripted failure")
  func cancelledFailure() async throws {
    let client = client(.async)
    script.fail(.profile, with: ServiceError.timedOut)
    let call = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await client.profile()
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(try await client.profile() == catalog.profile, "the cancelled call has used up the failure")
  }

  @Test("a search returns all hits in pages, by cursor", arguments: ServiceForm.allCases, [1, 7, 1_000])
  func searchPages(form: ServiceForm, size: Int) async throws {
    let client = client(form)
    let first = try await client.hits("a", PageRequest(size: size))
    #expect(first.index == nil)
    #expect(first.isLast == (size == 1_000))
    let expected = catalog.products.filter { $0.name.lowercased().contains("a") }.map(\.id)
    #expect(expected.count > 7)
    #expect(try await client.allHits("a", pageSize: size).map(\.id) == expected)
    #expect(try await client.hits("nothing", PageRequest(size: size)) == Page(items: [], next: nil))
  }

  @Test(
    "an expired or unknown cursor, and a position of the other kind, are typed errors",
    arguments: ServiceForm.allCases)
  func unknownPositions(form: ServiceForm) async throws {
    let client = client(form)
    let next = try #require(try await client.hits("a", PageRequest(size: 2)).next)
    let cursor = try #require(next.cursor)
    #expect(try await client.hits("a", PageRequest(at: next, size: 3)).items.count == 3)
    await #expect(throws: PageError.expired(cursor), "a cursor of another query") {
      try await client.hits("lamp", PageRequest(at: next, size: 2))
    }
    for text in ["x", "MC8w", "MC8xMDAwMDAwL2E=", "MC8tMS9h", "MC8xL2w="] {
      let unknown = PageCursor(rawValue: text)
      await #expect(throws: PageError.expired(unknown)) {
        try await client.hits("a", PageRequest(at: .cursor(unknown), size: 2))
      }
    }
    script.expireCursors()
    await #expect(throws: PageError.expired(cursor)) {
      try await client.hits("a", PageRequest(at: next, size: 2))
    }
    await #expect(throws: PageError.unsupported(.index(1))) {
      try await client.hits("a", PageRequest(index: 1, size: 2))
    }
    await #expect(throws: PageError.unsupported(next)) {
      try await client.page(PageRequest(at: next, size: 2))
    }
  }

  @Test("cart changes are refused as a server would refuse them", arguments: ServiceForm.allCases)
  func cart(form: ServiceForm) async throws {
    let client = client(form)
    let product = catalog.products[0]
    let unknown = CatalogProduct(id: 999, name: "", price: .zero(in: .eur), stock: 9)
    await #expect(throws: CartError.unknownProduct(999)) {
      try await client.apply(CartChange(product: unknown, delta: 1))
    }
    await #expect(
      throws: CartError.refused(1, reason: "only \(product.stock) in stock, 0 in the cart")
    ) { try await client.apply(CartChange(product: product, delta: .max)) }
    await #expect(throws: CartError.refused(1, reason: "only 0 in the cart")) {
      try await client.apply(CartChange(product: product, delta: -1))
    }
    script.refuse(1, reason: "recalled")
    await #expect(throws: CartError.refused(1, reason: "recalled")) {
      try await client.apply(CartChange(product: product, delta: 1))
    }
    script.allow(1)
    try await client.apply(CartChange(product: product, delta: 2))
    try await client.apply(CartChange(product: product, delta: -1))
    #expect(script.cartQuantity(of: 1) == 1)
  }

  @Test("an unknown product is not found, and the error names its id", arguments: ServiceForm.allCases)
  func unknownProduct(form: ServiceForm) async {
    await #expect(throws: ServiceError.notFound("product 999")) { try await client(form).product(999) }
  }

  @Test("a profile is saved or refused as a server would decide", arguments: ServiceForm.allCases)
  func profile(form: ServiceForm) async throws {
    try await expectProfileRules(client(form), first: catalog.profile)
  }

  @Test("a post can be deleted only once", arguments: ServiceForm.allCases)
  func posts(form: ServiceForm) async throws {
    try await expectPostRules(client(form), first: catalog.posts)
  }

  @Test("a call that is cancelled while it is being answered completes once")
  func cancellationRace() async throws {
    let client = client(.closure)
    for round in 0..<1_000 {
      let call = Task { try await client.profile() }
      for _ in 0..<(round % 8) { await Task.yield() }
      call.cancel()
      switch await call.result {
      case .success(let profile): #expect(profile == catalog.profile)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }

  @Test("a completion handler runs on the injected queue, even after a cancellation")
  func queue() async throws {
    let queue = DispatchQueue(label: "completion")
    let service = InMemoryClosureStorefront(script: script, scheduler: clock, queue: queue)
    await withCheckedContinuation { continuation in
      var token: CancellationToken?
      token = service.profile { _ in
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume()
      }
      withExtendedLifetime(token) { queue.sync {} }
      token = nil
    }
    script.delay(by: .seconds(1))
    await withCheckedContinuation { continuation in
      service.profile { _ in
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume()
      }.cancel()
    }
  }

  @Test("a released storefront is deallocated, even after a cancelled call", arguments: ServiceForm.allCases)
  func lifetime(form: ServiceForm) async throws {
    script.delay(by: .seconds(1), .orders)
    try await LeakTracker.check { tracker in
      let client = client(form)
      tracker.track(client.service, "storefront")
      _ = try await client.profile()
      let call = Task { try await client.orders() }
      await clock.waitForSleepers(1)
      call.cancel()
      _ = await call.result
    }
  }

  @Test(
    "a storefront that is released during a call answers the call and is deallocated",
    arguments: ServiceForm.allCases)
  func releaseDuringCall(form: ServiceForm) async throws {
    script.delay(by: .seconds(1), .orders)
    try await LeakTracker.check { tracker in
      let call = onlyCall(of: client(form), tracker)
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(1))
      let orders = try await call.value
      #expect(orders == catalog.orders)
    }
  }

  /// Starts a call, which becomes the only owner of the storefront.
  private func onlyCall(of client: StorefrontClient, _ tracker: LeakTracker) -> Task<[Order], any Error> {
    tracker.track(client.service, "storefront")
    return Task { try await client.orders() }
  }

  @Test("a call with a completion handler does not keep the storefront alive, and is answered")
  func releaseBeforeAnswer() async throws {
    script.delay(by: .seconds(1), .orders)
    let (answers, continuation) = AsyncStream<[Order]?>.makeStream()
    let token = try await LeakTracker.check { tracker in
      let service = tracker.track(
        InMemoryClosureStorefront(catalog.contents, script: script, scheduler: clock))
      return service.orders { continuation.yield(try? $0.get()) }
    }
    clock.advance(by: .seconds(1))
    #expect(await answers.first { _ in true } == catalog.orders)
    withExtendedLifetime(token) {}
  }
}
