import Dispatch
import Domain
import ViewModelTesting
import ViewModels

extension Probe {
  static let testability = Probe(
    "testability",
    "10 changes that a test wants to hold back, and then to let happen in the order that it chooses"
  ) { stage in
    let held = try await intentsHeld(stage)
    return Finding(held == 10 ? .works : .limited, "\(held) of 10 held")
  }

  private static func intentsHeld(_ stage: Stage) async throws -> Int {
    let callbacks = DispatchQueue(label: "callbacks")
    func held(_ state: CartState) -> Int { 11 - state.cart.itemCount }
    switch stage {
    case .closure:
      let cart = CartClosureViewModel(cart: try .holdingOne(), callbackQueue: callbacks)
      callbacks.suspend()
      defer { callbacks.resume() }
      for quantity in 2...11 { cart.setQuantity(quantity, of: Product.plenty.id) }
      return held(cart.state)
    case .stream:
      let cart = CartStreamViewModel(cart: try .holdingOne(), callbackQueue: callbacks)
      let states = StateRecorder(cart.states())
      callbacks.suspend()
      defer { callbacks.resume() }
      for quantity in 2...11 { cart.setQuantity(quantity, of: Product.plenty.id) }
      return held(try await states.first { $0.cart.itemCount == 11 })
    case .async:
      let host = HeldIsolation()
      let cart = CartViewModel(cart: try .holdingOne(), isolation: host)
      var (arrivals, changes) = (host.arrivals.makeAsyncIterator(), [Task<Void, any Error>]())
      for quantity in 2...11 {
        changes.append(Task { try await cart.setQuantity(quantity, of: Product.plenty.id) })
        _ = await arrivals.next()
      }
      let held = cart.state.cart.itemCount == 1 ? host.heldCount : 0
      host.releaseBackwards()
      for change in changes { try await change.value }
      // The first change came last, as the test has chosen.
      return cart.state.cart.itemCount == 2 ? held : 0
    }
  }

  static let debugging = Probe(
    "debugging", "a caller's trace, kept in its task: which of 6 requests a log can lead back to it"
  ) { stage in
    let known = try await requestsTraced(stage)
    return Finding(known == 6 ? .works : known > 0 ? .limited : .fails, "\(known) of 6 traced")
  }

  private static func requestsTraced(_ stage: Stage) async throws -> Int {
    let storefront = TracedStorefront()
    let requests = StateRecorder(storefront.requests)
    let list = stage.makeList(service: storefront, pageSize: 10)
    let search = stage.makeSearch(service: storefront, clock: VirtualClock())
    let cart = stage.makeCart(service: storefront)
    let dashboard = stage.makeDashboard(profile: storefront, orders: storefront, recommendations: storefront)
    try await TracedStorefront.$trace.withValue(7) {
      await list.load()
      await search.setQuery("a")
      await search.submit()
      try await cart.add(.plenty, quantity: 1)
      await dashboard.load().value
    }
    return try await requests.waitForStates(6).count { $0 == 7 }
  }

  static let linesOfCode = Probe(
    "lines of code", "the view models' files, without comments; the rules are shared and not counted"
  ) { stage in
    let tree = try SourceTree()
    let lines = Quantity.grouped(tree.lines(of: stage).count)
    return Finding(.works, "\(lines) for \(Quantity.count(tree.features.count, "feature"))")
  }
}
