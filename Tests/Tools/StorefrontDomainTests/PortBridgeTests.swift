import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import Testing

/// An async service that implements all ports (service protocols). Each call answers, fails, or waits at a
/// gate until its task is cancelled.
private struct Shop {
  enum Behavior {
    case answer
    case fail
    case hang(Gate)
  }

  var behavior = Behavior.answer
  /// The arguments of the calls that return no value, as text.
  let arrived = Notes()

  func answer<Value>(_ value: Value) async throws -> Value {
    switch behavior {
    case .answer: return value
    case .fail: throw ServiceError.timedOut
    case .hang(let gate):
      try await gate.waitUnlessCancelled()
      return value
    }
  }
}

extension Shop: PageService, DetailService, SearchService, CartService, ProfileEditingService, OrderService,
  RecommendationService, PostService
{
  static let product = product(1)
  static let cart = Cart(currency: .gbp)
  static let profile = Profile(id: 1, name: "Ada", email: "ada@example.com", version: 4)
  static let post = Post(id: 1, title: "Tea", body: "")
  static let order = Order(
    id: 1, total: Money(minorUnits: 500, currency: .eur), itemCount: 2, status: .placed)

  func page(_ request: PageRequest) async throws -> Page<Int> {
    try await answer(
      Page(items: [request.index ?? -1, request.size], index: request.index ?? 0, isLast: true))
  }
  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { try await answer(Self.product(id)) }
  func results(for query: String, page: PageRequest) async throws -> Page<TextHit> {
    try await answer(Page([TextHit(query), TextHit("\(page.size)")], cursor: page.position.cursor?.rawValue))
  }
  func cart() async throws -> Cart { try await answer(Self.cart) }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    arrived.add("\(change.product.id) \(change.delta) \(key)")
    try await answer(())
  }
  func profile() async throws -> Profile { try await answer(Self.profile) }
  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    try await answer(Self.profile.replaced(by: draft, basedOn: version))
  }
  func posts(_ page: PageRequest) async throws -> Page<Post> {
    arrived.add("\(page.size)")
    return try await answer(Page(items: [Self.post], next: PageCursor(rawValue: "more")))
  }
  func delete(_ id: Post.ID) async throws {
    arrived.add("\(id)")
    try await answer(())
  }
  func restore(_ id: Post.ID) async throws {
    arrived.add("\(id) back")
    try await answer(())
  }
  func orders() async throws -> [Order] { try await answer([Self.order]) }
  func recommendations() async throws -> [CatalogProduct] { try await answer([Self.product]) }

  static func product(_ id: CatalogProduct.ID) -> CatalogProduct {
    CatalogProduct(id: id, name: "Tea", price: Money(minorUnits: 250, currency: .eur), stock: 3)
  }
}

/// A port that the tests call through both of its bridges: async → completion handler → async.
private enum Port: CaseIterable {
  case page, detail, search, cart, cartChange, profile, profileEditing, profileSaving, posts, postDeletion,
    postRestoration, orders, recommendations

  /// Returns whether the service receives the arguments, and the caller receives the answer of the service.
  func isAnswered(by shop: Shop) async throws -> Bool {
    switch self {
    case .page:
      let service: any PageService<Int> = (shop as any PageService<Int>).asClosure.asAsync
      return try await service.page(PageRequest(index: 2, size: 9))
        == Page(items: [2, 9], index: 2, isLast: true)
    case .detail:
      let service: any DetailService<CatalogProduct> = (shop as any DetailService<CatalogProduct>).asClosure
        .asAsync
      return try await service.detail(of: 7) == Shop.product(7)
    case .search:
      let service: any SearchService<TextHit> = (shop as any SearchService<TextHit>).asClosure.asAsync
      return try await service.results(for: "tea", page: PageRequest(cursor: "c", size: 3))
        == Page(["tea", "3"], cursor: "c")
    case .cart:
      let service: any CartService = (shop as any CartService).asClosure.asAsync
      return try await service.cart() == Shop.cart
    case .cartChange:
      let service: any CartService = (shop as any CartService).asClosure.asAsync
      let key = IdempotencyKey()
      try await service.apply(CartChange(product: Shop.product(7), delta: -3), key: key)
      return shop.arrived.all == ["7 -3 \(key)"]
    case .profile:
      let service: any ProfileService = (shop as any ProfileService).asClosure.asAsync
      return try await service.profile() == Shop.profile
    case .profileEditing:
      let service: any ProfileEditingService = (shop as any ProfileEditingService).asClosure.asAsync
      return try await service.profile() == Shop.profile
    case .profileSaving:
      let service: any ProfileEditingService = (shop as any ProfileEditingService).asClosure.asAsync
      let draft = Profile.Draft(name: "King", email: "king@example.com")
      return try await service.save(draft, basedOn: 4) == Shop.profile.replaced(by: draft, basedOn: 4)
    case .posts:
      let service: any PostService = (shop as any PostService).asClosure.asAsync
      return try await service.posts(PageRequest(size: 3))
        == Page(items: [Shop.post], next: PageCursor(rawValue: "more"))
        && shop.arrived.all == ["3"]
    case .postDeletion:
      let service: any PostService = (shop as any PostService).asClosure.asAsync
      try await service.delete(7)
      return shop.arrived.all == ["7"]
    case .postRestoration:
      let service: any PostService = (shop as any PostService).asClosure.asAsync
      try await service.restore(7)
      return shop.arrived.all == ["7 back"]
    case .orders:
      let service: any OrderService = (shop as any OrderService).asClosure.asAsync
      return try await service.orders() == [Shop.order]
    case .recommendations:
      let service: any RecommendationService = (shop as any RecommendationService).asClosure.asAsync
      return try await service.recommendations() == [Shop.product]
    }
  }
}

@Suite("Bridges of the service protocols", .timeLimit(.minutes(5)), .endsWaits)
struct PortBridgeTests {
  @Test("an async service's answer passes through its completion-handler form", arguments: Port.allCases)
  private func answer(port: Port) async throws {
    #expect(try await port.isAnswered(by: Shop()))
  }

  @Test("an async service's error passes through its completion-handler form", arguments: Port.allCases)
  private func failure(port: Port) async {
    await #expect(throws: ServiceError.timedOut) { try await port.isAnswered(by: Shop(behavior: .fail)) }
  }

  @Test(
    "a cancelled call through both bridges throws CancellationError and cancels the service",
    arguments: Port.allCases)
  private func cancellation(port: Port) async throws {
    let gate = Gate()
    let task = Task { try await port.isAnswered(by: Shop(behavior: .hang(gate))) }
    await gate.waitForArrivals(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The gate is never opened, so only a cancellation ends the wait of the service.
    try await until { gate.waitingCount == 0 }
  }
}
