import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Testing

/// Checks what each cart service promises, in both forms: a change is made once for each key.
@Suite("Cart services", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct CartServiceContract {
  enum Kind: CaseIterable, Sendable { case memory, http }

  /// A storefront, and what a test changes behind its back.
  private struct Subject {
    let client: StorefrontClient
    let quantity: (CatalogProduct.ID) -> Int
    let loseNextAnswer: () -> Void
  }

  private let catalog = Catalog.seeded(count: 10)

  private func subject(_ kind: Kind, _ form: ServiceForm) throws -> Subject {
    switch kind {
    case .memory:
      let script = StorefrontScript()
      let client =
        switch form {
        case .closure: StorefrontClient(closures: InMemoryClosureStorefront(catalog.contents, script: script))
        case .async: StorefrontClient(InMemoryStorefront(catalog.contents, script: script))
        }
      return Subject(
        client: client, quantity: { script.cartQuantity(of: $0) },
        loseNextAnswer: { script.loseResponses(of: .cartChange) })
    case .http:
      let server = LoopbackHTTPServer(catalog: catalog)
      return Subject(
        client: try StorefrontClient.http(form, try server.start()),
        quantity: { server.cartQuantity(of: $0) },
        loseNextAnswer: { server.fail(with: .cut(after: 0), on: "/cart/changes") })
    }
  }

  @Test("the cart contains what was added, in this order", arguments: Kind.allCases, ServiceForm.allCases)
  func cart(kind: Kind, form: ServiceForm) async throws {
    let subject = try subject(kind, form)
    let currency = catalog.products[0].price.currency
    #expect(try await subject.client.cart() == Cart(currency: currency))
    for (index, delta) in [(3, 2), (1, 1), (3, -1), (5, 1), (1, -1)] {
      try await subject.client.apply(CartChange(product: catalog.products[index], delta: delta))
    }
    let items = [3, 5].map { CartItem(product: catalog.products[$0], quantity: 1) }
    #expect(try await subject.client.cart() == Cart(currency: currency, items: items))
  }

  @Test(
    "a change with the same key is made once, and answered in the same way", arguments: Kind.allCases,
    ServiceForm.allCases)
  func repeated(kind: Kind, form: ServiceForm) async throws {
    let subject = try subject(kind, form)
    let (change, key) = (CartChange(product: catalog.products[0], delta: 1), IdempotencyKey())
    for _ in 0..<3 { try await subject.client.apply(change, key: key) }
    #expect(subject.quantity(1) == 1)
    try await subject.client.apply(change)
    #expect(subject.quantity(1) == 2, "another key is another change")
  }

  @Test(
    "a change whose answer was lost is made once, if it is sent again with its key", arguments: Kind.allCases,
    ServiceForm.allCases)
  func lostAnswer(kind: Kind, form: ServiceForm) async throws {
    let subject = try subject(kind, form)
    let (change, key) = (CartChange(product: catalog.products[0], delta: 1), IdempotencyKey())
    subject.loseNextAnswer()
    await #expect(throws: ServiceError.connectionLost) { try await subject.client.apply(change, key: key) }
    #expect(subject.quantity(1) == 1)
    try await subject.client.apply(change, key: key)
    #expect(subject.quantity(1) == 1)
  }

  @Test("a refused change stays refused with its key", arguments: Kind.allCases, ServiceForm.allCases)
  func refused(kind: Kind, form: ServiceForm) async throws {
    let subject = try subject(kind, form)
    let (product, key) = (catalog.products[0], IdempotencyKey())
    let remove = CartChange(product: product, delta: -1)
    let refusal = CartError.refused(1, reason: "only 0 in the cart")
    await #expect(throws: refusal) { try await subject.client.apply(remove, key: key) }
    try await subject.client.apply(CartChange(product: product, delta: 1))
    await #expect(throws: refusal) { try await subject.client.apply(remove, key: key) }
    #expect(subject.quantity(1) == 1)
    try await subject.client.apply(remove)
    #expect(subject.quantity(1) == 0)

    let unknown = CartChange(
      product: CatalogProduct(id: 99, name: "", price: product.price, stock: 1), delta: 1)
    let otherKey = IdempotencyKey()
    for _ in 0..<2 {
      await #expect(throws: CartError.unknownProduct(99)) {
        try await subject.client.apply(unknown, key: otherKey)
      }
    }
  }

  @Test(
    "another change with a used key is refused with an error that names the key", arguments: Kind.allCases,
    ServiceForm.allCases)
  func reusedKey(kind: Kind, form: ServiceForm) async throws {
    let subject = try subject(kind, form)
    let (product, key) = (catalog.products[0], IdempotencyKey())
    try await subject.client.apply(CartChange(product: product, delta: 1), key: key)
    for other in [
      CartChange(product: product, delta: 2), CartChange(product: product, delta: -1),
      CartChange(product: catalog.products[1], delta: 1),
    ] {
      await #expect(throws: ServiceError.keyReused(key)) { try await subject.client.apply(other, key: key) }
    }
    let renamed = CatalogProduct(id: product.id, name: "New", price: product.price, stock: product.stock + 1)
    try await subject.client.apply(CartChange(product: renamed, delta: 1), key: key)
    #expect(subject.quantity(1) == 1)
    #expect(subject.quantity(2) == 0)
  }

  @Test("a service is deallocated after a repeated change", arguments: Kind.allCases, ServiceForm.allCases)
  func lifetime(kind: Kind, form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let subject = try subject(kind, form)
      tracker.track(subject.client.service, "storefront")
      let (change, key) = (CartChange(product: catalog.products[0], delta: 1), IdempotencyKey())
      for _ in 0..<2 { try await subject.client.apply(change, key: key) }
      _ = try await subject.client.cart()
    }
  }
}
