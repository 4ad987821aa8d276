import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules for unanswered changes, tested without a view model.
@Suite("Cart state: recovery", .timeLimit(.minutes(5)), .endsWaits)
struct CartRecoveryStateTests {
  private let nail = AnsweredCart.nail
  private let screw = AnsweredCart.screw

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
    let key = try state.begin(.add(nail, quantity: 2))
    #expect(state.answer(key, .failure(error)).isEmpty)
    #expect(state.cart.itemCount == (isRefusal ? 0 : 2))
    #expect(state.pendingCount == (isRefusal ? 0 : 1))
    #expect(state.state.hasUnanswered == !isRefusal)
  }

  @Test("the callers of an unanswered change and of the changes behind it learn that it is not answered")
  func toldCallers() throws {
    var state = CartState(hasService: true)
    let first = try state.begin(.add(nail, quantity: 1))
    let second = try state.begin(.add(nail, quantity: 2))
    _ = try state.begin(.add(screw, quantity: 3))
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
    let first = try state.begin(.add(nail, quantity: 1))
    let second = try state.begin(.remove(nail.id))
    state.answer(first, .failure(ServiceError.timedOut))
    #expect(!state.isDue(first) && !state.isDue(second))
    state.load()
    #expect(Set(state.requests.keys) == [first])
    #expect(try state.confirm(first).due(1).request == CartChange(product: nail, delta: -1))
    #expect(!state.state.isCartDue)
    #expect(state.confirm(second).isEmpty)
    #expect(state.state.isCartDue)
  }

  @Test("a change of the same product sends an unanswered change again")
  func sentAgainByNext() throws {
    var state = AnsweredCart()
    let first = try state.begin(.add(nail, quantity: 1))
    let other = try state.begin(.add(screw, quantity: 1))
    state.answer(first, .failure(ServiceError.timedOut))
    state.answer(other, .failure(ServiceError.timedOut))
    let next = try state.begin(.add(nail, quantity: 2))
    #expect(Set(state.requests.keys) == [first])
    #expect(state.state.hasUnanswered, "the change of the other product")
    #expect(try state.confirm(first).due(1).id == next)
  }

  @Test("a late answer ends an unanswered change")
  func lateAnswer() throws {
    var state = AnsweredCart()
    let key = try state.begin(.add(nail, quantity: 2))
    state.answer(key, .failure(ServiceError.timedOut))
    state.confirm(key)
    #expect(state.pendingCount == 0)
    #expect(!state.state.hasUnanswered)
    state.answer(key, .failure(ServiceError.timedOut))
    #expect(!state.state.hasUnanswered, "the change has ended")
  }

  @Test("discarding rolls back unanswered changes and those behind them, but none that is being sent")
  func discarded() throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 5))))
    let removal = try state.begin(.remove(nail.id))
    try state.begin(.add(nail, quantity: 1))
    let addition = try state.begin(.add(screw, quantity: 3))
    state.discardUnanswered()
    #expect(state.pendingCount == 3)
    state.answer(removal, .failure(ServiceError.timedOut))
    let requests = state.requests.count
    state.discardUnanswered()
    #expect(state.requests.count == requests, "nothing is sent")
    #expect(state.pendingCount == 1 && !state.state.hasUnanswered)
    #expect(state.cart.quantity(of: nail.id) == 5)
    #expect(state.state.saved.unanswered.map(\.key) == [addition])
    state.load()
    #expect(!state.state.isCartDue)
    state.confirm(addition)
    #expect(state.state.isCartDue)
    state.answer(removal, .success(()))
    #expect(state.cart.quantity(of: nail.id) == 5, "a late answer changes nothing")
  }

  @Test("a refusal that comes after the caller was told of no answer is kept until the next load or change")
  func lateRefusal() throws {
    var state = AnsweredCart()
    let key = try state.begin(.add(nail, quantity: 1))
    try state.begin(.remove(nail.id))
    let refusal = CartError.refused(nail.id, reason: "sold out")
    state.answer(key, .failure(ServiceError.timedOut))
    #expect(state.state.lateRefusal == nil)
    let saved = state.state.saved
    state.load()
    state.answer(key, .failure(refusal))
    #expect(state.state.lateRefusal as? CartError == refusal, "not that of the change behind it")
    state.load()
    #expect(state.state.lateRefusal == nil)

    var restarted = AnsweredCart(SavedCart(unanswered: [saved.unanswered[0]]))
    restarted.load()
    restarted.answer(key, .failure(refusal))
    #expect(restarted.state.lateRefusal as? CartError == refusal)
    let next = try restarted.begin(.add(nail, quantity: 1))
    #expect(restarted.state.lateRefusal == nil)
    restarted.answer(next, .failure(refusal))
    #expect(restarted.state.lateRefusal == nil, "the caller gets this one")
  }

  // MARK: - Restart

  @Test("after a restart, the cart shows the unanswered changes, and a load sends them with their keys")
  func restart() throws {
    var state = AnsweredCart(SavedCart(try Cart((nail, 5))))
    let first = try state.begin(.setQuantity(2, of: nail.id))
    let second = try state.begin(.add(screw, quantity: 1))
    let third = try state.begin(.remove(nail.id))
    let saved = state.state.saved
    #expect(saved.cart == (try Cart((nail, 5))))
    #expect(saved.unanswered.map(\.key) == [first, second, third])

    var restarted = AnsweredCart(saved)
    #expect(restarted.cart == state.cart)
    #expect(restarted.pendingCount == 3)
    #expect(restarted.state.saved == saved)
    restarted.load()
    #expect(Set(restarted.requests.keys) == [first, second])
    #expect(restarted.requests[first]?.unanswered == saved.unanswered[0])
    #expect(try restarted.confirm(first).due(1).id == third)
    restarted.confirm(second)
    restarted.confirm(third)
    #expect(restarted.state.saved == SavedCart(try Cart((screw, 1))))
  }

  @Test("after a restart, a waiting change that is now impossible is refused and not sent")
  func restartBehindRefused() throws {
    var state = AnsweredCart()
    let first = try state.begin(.add(nail, quantity: 1))
    try state.begin(.remove(nail.id))
    var restarted = AnsweredCart(state.state.saved)
    restarted.load()
    #expect(restarted.rollBack(first).isEmpty)
    #expect(restarted.pendingCount == 0)
    #expect(restarted.state.isCartDue)
  }

  @Test("after a restart, a waiting change still sets the quantity that the shopper wants")
  func restartWithQuantity() throws {
    for (wanted, expected) in [(12, 2), (0, -10)] {
      var state = AnsweredCart(SavedCart(try Cart((nail, 10))))
      let first = try state.begin(.add(nail, quantity: 5))
      try state.begin(wanted == 0 ? .remove(nail.id) : .setQuantity(wanted, of: nail.id))
      var restarted = AnsweredCart(state.state.saved)
      restarted.load()
      let turn = try restarted.rollBack(first).due(1)
      #expect(turn.request.delta == expected)
      #expect(restarted.cart.quantity(of: nail.id) == wanted)
      #expect(restarted.state.saved.unanswered.map(\.quantity) == [wanted])
    }
  }

  @Test("without a service, the unanswered changes of an earlier run become part of the cart")
  func restartWithoutService() throws {
    let change = UnansweredChange(key: IdempotencyKey(), change: CartChange(product: nail, delta: 2))
    let state = CartState(SavedCart(unanswered: [change]), hasService: false)
    #expect(state.saved == SavedCart(try Cart((nail, 2))))
    #expect(state.pendingCount == 0)
  }

  @Test("after random answers, failures, loads and restarts, the cart equals the service's cart")
  func randomRecovery() throws {
    for seed in 1...1_000 {
      var random = SplitMix64(seed: UInt64(seed))
      var service = KeyedCart()
      var state = AnsweredCart()
      for _ in 0..<24 {
        let product = random.pick([nail, screw])
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
      for product in [nail, screw] {
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
