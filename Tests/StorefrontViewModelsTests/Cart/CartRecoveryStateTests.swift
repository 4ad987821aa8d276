import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules for unanswered changes, loads and updates of the cart, tested without a view model.
@Suite("Cart state: recovery", .timeLimit(.minutes(5)), .endsWaits)
struct CartRecoveryStateTests {
  private static let nail = CatalogProduct(
    id: 1, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 100)
  private static let screw = CatalogProduct(
    id: 2, name: "Screw", price: Money(minorUnits: 2, currency: .usd), stock: 100)

  private static func cart(_ items: (CatalogProduct, Int)...) throws -> Cart {
    var cart = Cart()
    for (product, quantity) in items { try cart.add(product, quantity: quantity) }
    return cart
  }

  // MARK: - Unanswered changes

  @Test(
    "only a refusal rolls a change back",
    arguments: [
      (CartError.refused(1, reason: "sold out"), true), (ServiceError.notFound("product 1"), true),
      (ServiceError.status(code: 403, message: "a proxy"), false),
      (ServiceError.status(code: 503, message: "busy"), false), (ServiceError.offline, false),
      (ServiceError.timedOut, false), (ServiceError.connectionLost, false), (CancellationError(), false),
      (DeadlineExceeded(duration: .seconds(1)), false), (CartError.unanswered(1, reason: "offline"), false),
      (TokenRefreshError(cause: ServiceError.offline), false),
    ] as [(any Error, Bool)])
  func refusals(error: any Error, isRefusal: Bool) throws {
    var state = AnsweredCart()
    let key = try #require(try state.begin(.add(Self.nail, quantity: 2)))
    #expect(state.answer(key, .failure(error)).isEmpty)
    #expect(state.cart.itemCount == (isRefusal ? 0 : 2))
    #expect(state.pendingCount == (isRefusal ? 0 : 1))
    #expect(state.state.hasUnanswered == !isRefusal)
  }

  @Test("the callers of an unanswered change and of the changes behind it learn that it is not answered")
  func toldCallers() throws {
    var state = CartState(hasService: true)
    let first = try state.begin(.add(Self.nail, quantity: 1))
    let second = try state.begin(.add(Self.nail, quantity: 2))
    _ = try state.begin(.add(Self.screw, quantity: 3))
    let step = state.receive(.failure(ServiceError.timedOut), for: first.requests[0])
    #expect(step.requests.isEmpty)
    #expect(step.results.map { $0.change } == [first.change, second.change].compactMap(\.self))
    for (_, result) in step.results {
      #expect(throws: CartError.unanswered(1, reason: "\(ServiceError.timedOut)")) { try result.get() }
    }
    #expect(state.pendingCount == 3)

    let again = state.beginLoad().requests
    for outcome in [.failure(ServiceError.timedOut), .success(())] as [TaskOutcome<Void>] {
      #expect(state.receive(outcome, for: again[0]).results.isEmpty, "the caller has its result")
    }
  }

  @Test("a load sends an unanswered change again, with its key, and then the changes behind it")
  func sentAgain() throws {
    var state = AnsweredCart()
    let first = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    let second = try #require(try state.begin(.remove(Self.nail.id)))
    _ = state.answer(first, .failure(ServiceError.timedOut))
    #expect(!state.isDue(first) && !state.isDue(second))
    state.load()
    #expect(Set(state.requests.keys) == [first])
    #expect(try state.confirm(first).due(1).request == CartChange(product: Self.nail, delta: -1))
    #expect(!state.state.isCartDue)
    #expect(state.confirm(second).isEmpty)
    #expect(state.state.isCartDue)
  }

  @Test("a change of the same product sends an unanswered change again")
  func sentAgainByNext() throws {
    var state = AnsweredCart()
    let nail = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    let screw = try #require(try state.begin(.add(Self.screw, quantity: 1)))
    _ = state.answer(nail, .failure(ServiceError.timedOut))
    _ = state.answer(screw, .failure(ServiceError.timedOut))
    let next = try #require(try state.begin(.add(Self.nail, quantity: 2)))
    #expect(Set(state.requests.keys) == [nail])
    #expect(state.state.hasUnanswered, "the change of the other product")
    #expect(try state.confirm(nail).due(1).id == next)
  }

  @Test("a late answer ends an unanswered change")
  func lateAnswer() throws {
    var state = AnsweredCart()
    let key = try #require(try state.begin(.add(Self.nail, quantity: 2)))
    _ = state.answer(key, .failure(ServiceError.timedOut))
    _ = state.confirm(key)
    #expect(state.pendingCount == 0)
    #expect(!state.state.hasUnanswered)
    _ = state.answer(key, .failure(ServiceError.timedOut))
    #expect(!state.state.hasUnanswered, "the change has ended")
  }

  @Test("discarding rolls back unanswered changes and those behind them, but none that is being sent")
  func discarded() throws {
    var state = AnsweredCart(SavedCart(try Self.cart((Self.nail, 5))))
    let nail = try #require(try state.begin(.remove(Self.nail.id)))
    _ = try state.begin(.add(Self.nail, quantity: 1))
    let screw = try #require(try state.begin(.add(Self.screw, quantity: 3)))
    state.discardUnanswered()
    #expect(state.pendingCount == 3)
    _ = state.answer(nail, .failure(ServiceError.timedOut))
    let requests = state.requests.count
    state.discardUnanswered()
    #expect(state.requests.count == requests, "nothing is sent")
    #expect(state.pendingCount == 1 && !state.state.hasUnanswered)
    #expect(state.cart.quantity(of: Self.nail.id) == 5)
    #expect(state.state.saved.unanswered.map(\.key) == [screw])
    state.load()
    #expect(!state.state.isCartDue)
    _ = state.confirm(screw)
    #expect(state.state.isCartDue)
    _ = state.answer(nail, .success(()))
    #expect(state.cart.quantity(of: Self.nail.id) == 5, "a late answer changes nothing")
  }

  @Test("a refusal that comes after the caller was told of no answer is kept until the next load or change")
  func lateRefusal() throws {
    var state = AnsweredCart()
    let key = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    _ = try state.begin(.remove(Self.nail.id))
    let refusal = CartError.refused(Self.nail.id, reason: "sold out")
    _ = state.answer(key, .failure(ServiceError.timedOut))
    #expect(state.state.lateRefusal == nil)
    let saved = state.state.saved
    state.load()
    _ = state.answer(key, .failure(refusal))
    #expect(state.state.lateRefusal as? CartError == refusal, "not that of the change behind it")
    state.load()
    #expect(state.state.lateRefusal == nil)

    var restarted = AnsweredCart(SavedCart(unanswered: [saved.unanswered[0]]))
    restarted.load()
    _ = restarted.answer(key, .failure(refusal))
    #expect(restarted.state.lateRefusal as? CartError == refusal)
    let next = try #require(try restarted.begin(.add(Self.nail, quantity: 1)))
    #expect(restarted.state.lateRefusal == nil)
    _ = restarted.answer(next, .failure(refusal))
    #expect(restarted.state.lateRefusal == nil, "the caller gets this one")
  }

  // MARK: - Restart

  @Test("after a restart, the cart shows the unanswered changes, and a load sends them with their keys")
  func restart() throws {
    var state = AnsweredCart(SavedCart(try Self.cart((Self.nail, 5))))
    let first = try #require(try state.begin(.setQuantity(2, of: Self.nail.id)))
    let second = try #require(try state.begin(.add(Self.screw, quantity: 1)))
    let third = try #require(try state.begin(.remove(Self.nail.id)))
    let saved = state.state.saved
    #expect(saved.cart == (try Self.cart((Self.nail, 5))))
    #expect(saved.unanswered.map(\.key) == [first, second, third])

    var restarted = AnsweredCart(saved)
    #expect(restarted.cart == state.cart)
    #expect(restarted.pendingCount == 3)
    #expect(restarted.state.saved == saved)
    restarted.load()
    #expect(Set(restarted.requests.keys) == [first, second])
    #expect(restarted.requests[first]?.unanswered == saved.unanswered[0])
    #expect(try restarted.confirm(first).due(1).id == third)
    _ = restarted.confirm(second)
    _ = restarted.confirm(third)
    #expect(restarted.state.saved == SavedCart(try Self.cart((Self.screw, 1))))
  }

  @Test("after a restart, a waiting change that is now impossible is refused and not sent")
  func restartBehindRefused() throws {
    var state = AnsweredCart()
    let first = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    _ = try state.begin(.remove(Self.nail.id))
    var restarted = AnsweredCart(state.state.saved)
    restarted.load()
    #expect(restarted.rollBack(first).isEmpty)
    #expect(restarted.pendingCount == 0)
    #expect(restarted.state.isCartDue)
  }

  @Test("after a restart, a waiting change still sets the quantity that the shopper wants")
  func restartWithQuantity() throws {
    for (wanted, expected) in [(12, 2), (0, -10)] {
      var state = AnsweredCart(SavedCart(try Self.cart((Self.nail, 10))))
      let first = try #require(try state.begin(.add(Self.nail, quantity: 5)))
      _ = try state.begin(wanted == 0 ? .remove(Self.nail.id) : .setQuantity(wanted, of: Self.nail.id))
      var restarted = AnsweredCart(state.state.saved)
      restarted.load()
      let turn = try restarted.rollBack(first).due(1)
      #expect(turn.request.delta == expected)
      #expect(restarted.cart.quantity(of: Self.nail.id) == wanted)
      #expect(restarted.state.saved.unanswered.map(\.quantity) == [wanted])
    }
  }

  @Test("without a service, the unanswered changes of an earlier run become part of the cart")
  func restartWithoutService() throws {
    let change = UnansweredChange(key: IdempotencyKey(), change: CartChange(product: Self.nail, delta: 2))
    let state = CartState(SavedCart(unanswered: [change]), hasService: false)
    #expect(state.saved == SavedCart(try Self.cart((Self.nail, 2))))
    #expect(state.pendingCount == 0)
  }

  // MARK: - Load

  @Test("a load shows the service's cart, and ends")
  func load() throws {
    var state = CartState(SavedCart(try Self.cart((Self.nail, 1))), hasService: true)
    #expect(!state.isLoading)
    #expect(!state.isCartDue)
    #expect(state.beginLoad().requests.isEmpty)
    #expect(state.isLoading)
    let asks = [state.beginCartRequest(), state.beginCartRequest()]
    #expect(asks == [true, false], "the service is asked once")
    state.receiveCart(.success(try Self.cart((Self.screw, 2))))
    #expect(state.cart == (try Self.cart((Self.screw, 2))))
    #expect(!state.isLoading)
    state.receiveCart(.success(Cart()))
    #expect(state.cart.itemCount == 2, "a second answer")
  }

  @Test("without a service, there is nothing to load")
  func loadWithoutService() {
    var state = CartState(hasService: false)
    #expect(state.beginLoad().requests.isEmpty)
    #expect(!state.isLoading)
  }

  @Test("a failed load keeps the cart and shows the error, until a load succeeds")
  func failedLoad() throws {
    var state = CartState(SavedCart(try Self.cart((Self.nail, 1))), hasService: true)
    _ = state.beginLoad()
    _ = state.beginCartRequest()
    state.receiveCart(.failure(ServiceError.offline))
    #expect(state.loadFailure as? ServiceError == .offline)
    #expect(state.cart.itemCount == 1)
    _ = state.beginLoad()
    #expect(state.loadFailure == nil, "during a load")
    state.cancelLoad()
    #expect(state.loadFailure as? ServiceError == .offline)
    _ = state.beginLoad()
    _ = state.beginCartRequest()
    state.receiveCart(.cancelled)
    #expect(!state.isLoading)
    #expect(state.loadFailure as? ServiceError == .offline)
    _ = state.beginLoad()
    _ = state.beginCartRequest()
    state.receiveCart(.success(Cart()))
    #expect(state.loadFailure == nil)
  }

  @Test(
    "a load that waits for a cancelled request of a change ends without an error, and a deadline is a time-out"
  )
  func shownErrors() throws {
    for (error, shown) in [
      (CancellationError() as any Error, nil),
      (DeadlineExceeded(duration: .seconds(60)), ServiceError.timedOut),
    ] {
      var state = AnsweredCart()
      let key = try #require(try state.begin(.add(Self.nail, quantity: 1)))
      _ = state.answer(key, .failure(ServiceError.offline))
      state.load()
      #expect(state.state.isLoading)
      _ = state.answer(key, .failure(error))
      #expect(!state.state.isLoading)
      #expect(state.state.loadFailure as? ServiceError == shown)
    }
  }

  @Test("a load that can only wait for an unanswered change fails with its error")
  func loadBehindUnanswered() throws {
    var state = AnsweredCart()
    let nail = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    let screw = try #require(try state.begin(.add(Self.screw, quantity: 1)))
    state.load()
    _ = state.answer(nail, .failure(ServiceError.timedOut))
    #expect(state.state.isLoading, "the other change is being sent")
    _ = state.confirm(screw)
    #expect(!state.state.isLoading)
    #expect(state.state.loadFailure as? ServiceError == .timedOut)
  }

  @Test("the error of a change is not the error of a load")
  func failedChange() throws {
    var state = AnsweredCart()
    let key = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    _ = state.answer(key, .failure(ServiceError.timedOut))
    #expect(state.state.loadFailure == nil)
  }

  @Test("the service's cart is dropped if a change began after the request, and is loaded again")
  func outdated() throws {
    var state = AnsweredCart()
    state.load()
    try #require(state.state.isCartDue)
    _ = state.beginCartRequest()
    let key = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    state.receiveCart(.success(Cart()))
    #expect(state.cart.itemCount == 1)
    #expect(state.state.isLoading && !state.state.isCartDue)
    _ = state.confirm(key)
    try #require(state.state.isCartDue)
    _ = state.beginCartRequest()
    state.receiveCart(.success(try Self.cart((Self.nail, 1))))
    #expect(!state.state.isLoading)
    #expect(state.cart.itemCount == 1)
  }

  @Test("the service's cart is dropped if a change began after the request and is not answered")
  func outdatedByUnanswered() throws {
    var state = AnsweredCart()
    state.load()
    try #require(state.state.isCartDue)
    _ = state.beginCartRequest()
    let key = try #require(try state.begin(.add(Self.nail, quantity: 1)))
    _ = state.answer(key, .failure(ServiceError.timedOut))
    #expect(state.state.isLoading)
    state.receiveCart(.success(Cart()))
    #expect(state.cart.itemCount == 1)
    #expect(state.state.loadFailure as? ServiceError == .timedOut)
  }

  // MARK: - Updates

  @Test(
    "an update shows the new price and stock, also after a change that was made with older ones is made again"
  )
  func update() throws {
    var state = AnsweredCart(SavedCart(try Self.cart((Self.screw, 1))))
    let removal = try #require(try state.begin(.remove(Self.screw.id)))
    let addition = try #require(try state.begin(.add(Self.nail, quantity: 4)))
    let price = Money(minorUnits: 7, currency: .usd)
    state.receive(ProductUpdate(product: Self.nail.id, price: price))
    state.receive(ProductUpdate(product: Self.nail.id, stock: 3))
    #expect(state.cart.items[0].product.price == price)
    #expect(state.cart.items[0].missingUnits == 1)
    #expect(state.pendingCount == 2)
    _ = state.rollBack(removal)
    #expect(state.cart.item(of: Self.nail.id)?.product.price == price)
    _ = state.confirm(addition)
    #expect(state.cart.item(of: Self.nail.id)?.product.stock == 3)
    #expect(state.state.saved.cart.item(of: Self.nail.id)?.product.price == price)
  }

  @Test("an update of a product that is not in the cart is ignored, and is not kept")
  func otherProduct() throws {
    var state = AnsweredCart()
    state.receive(ProductUpdate(product: Self.nail.id, stock: 0))
    #expect(state.cart.isEmpty)
    _ = try state.begin(.add(Self.nail, quantity: 2))
    #expect(state.cart.items[0].product == Self.nail)
  }

  @Test("an update of another product is ignored while a change is pending")
  func otherProductDuringChange() throws {
    var state = AnsweredCart()
    _ = try state.begin(.add(Self.nail, quantity: 1))
    #expect(!state.state.needs(ProductUpdate(product: Self.screw.id, stock: 0)))
    #expect(state.state.needs(ProductUpdate(product: Self.nail.id, stock: 0)))
  }

  @Test("the price of a refused addition stays, because it is newer than the prices of earlier changes")
  func priceOfRefusedAddition() throws {
    var state = AnsweredCart(SavedCart(try Self.cart((Self.nail, 1))))
    let set = try #require(try state.begin(.setQuantity(3, of: Self.nail.id)))
    let price = Money(minorUnits: 80, currency: .usd)
    state.receive(ProductUpdate(product: Self.nail.id, price: price))
    let newer = CatalogProduct(id: 1, name: "Nail", price: price, stock: 100)
    let addition = try #require(try state.begin(.add(newer, quantity: 1)))
    _ = state.confirm(set)
    _ = state.rollBack(addition)
    #expect(state.cart.items.map(\.product.price) == [price])
    #expect(state.cart.items.map(\.quantity) == [3])
  }

  @Test("the product of an addition replaces earlier updates")
  func newerProduct() throws {
    var state = AnsweredCart(SavedCart(try Self.cart((Self.nail, 1), (Self.screw, 1))))
    state.receive(ProductUpdate(product: Self.nail.id, stock: 50))
    let other = try #require(try state.begin(.remove(Self.screw.id)))
    _ = try state.begin(.add(Self.nail, quantity: 1))
    _ = state.rollBack(other)
    #expect(state.cart.items.map(\.product) == [Self.nail, Self.screw])
  }

  @Test("an update during a load is newer than the service's cart, an earlier one is older")
  func updateDuringLoad() throws {
    var state = AnsweredCart(SavedCart(try Self.cart((Self.nail, 1), (Self.screw, 1))))
    state.receive(ProductUpdate(product: Self.nail.id, stock: 50))
    state.load()
    _ = state.beginCartRequest()
    state.receive(ProductUpdate(product: Self.screw.id, stock: 60))
    state.receive(ProductUpdate(product: Self.screw.id, price: Money(minorUnits: 3, currency: .usd)))
    state.receiveCart(.success(try Self.cart((Self.nail, 1), (Self.screw, 2))))
    #expect(state.cart.items.map(\.product.stock) == [100, 60])
    #expect(state.cart.items[1].product.price == Money(minorUnits: 3, currency: .usd))
    #expect(state.cart.items[1].quantity == 2)
  }

  // MARK: - Saves and equality

  @Test("the error of a save is shown until a save succeeds")
  func saves() {
    var state = CartState(hasService: false)
    state.recordWrite(.failure(StorageError.closed(file: "cart.json")))
    #expect(state.saveFailure as? StorageError == .closed(file: "cart.json"))
    #expect(state != CartState(hasService: false))
    state.recordWrite(.success(()))
    #expect(state.saveFailure == nil)
    #expect(state == CartState(hasService: false))
  }

  @Test("after random answers, failures, loads and restarts, the cart equals the service's cart")
  func randomRecovery() throws {
    for seed in 1...1_000 {
      var random = SplitMix64(seed: UInt64(seed))
      var service = KeyedCart()
      var state = AnsweredCart()
      for _ in 0..<24 {
        let product = random.pick([Self.nail, Self.screw])
        // A rule may refuse an intent.
        switch random.next(in: 0...6) {
        case 0: _ = try? state.begin(.remove(product.id))
        case 1, 2: _ = try? state.begin(.add(product, quantity: random.next(in: 1...3)))
        case 3: state.load()
        case 4: state = AnsweredCart(state.state.saved)
        default: service.answerOne(&state, &random)
        }
        if state.beginCartRequest() {
          if random.next(in: 0...1) == 0 { _ = try? state.begin(.add(product, quantity: 1)) }
          state.receiveCart(.success(service.cart))
        }
      }
      while state.pendingCount > 0 {
        state.load()
        service.answerOne(&state, &random)
      }
      for product in [Self.nail, Self.screw] {
        #expect(
          state.cart.quantity(of: product.id) == service.cart.quantity(of: product.id), "seed \(seed)")
      }
    }
  }

  /// A service that makes each change once, and whose answers can be lost.
  private struct KeyedCart {
    private(set) var cart = Cart()
    private var refusals: [IdempotencyKey: Bool] = [:]

    mutating func answerOne(_ state: inout AnsweredCart, _ random: inout SplitMix64) {
      let requests = state.requests.values.sorted { $0.id < $1.id }
      guard !requests.isEmpty else { return }
      let request = random.pick(requests)
      let (key, change) = (request.unanswered.key, request.unanswered.change)
      let (arrives, isAnswered) = (random.next(in: 0...3) > 0, random.next(in: 0...2) > 0)
      if arrives && refusals[key] == nil {
        let isRefused = random.next(in: 0...3) == 0
        refusals[key] = isRefused
        if !isRefused { cart.reapply(change) }
      }
      guard arrives, isAnswered, let isRefused = refusals[key] else {
        return _ = state.answer(key, .failure(ServiceError.timedOut))
      }
      _ = isRefused ? state.rollBack(key) : state.confirm(key)
    }
  }
}
