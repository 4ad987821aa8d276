import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Changes the quantity of the one product in a cart.
private typealias Change = (Int) async throws -> Void

extension Probe {
  static let throttle = Probe(
    "throttle",
    "99 changes within 100 ms, for an observer that wants the first and the last: `throttled(for:)`; a timer in "
      + "the closure stage",
    wanted: .exactly(2, of: 100, "delivered")
  ) { stage in
    let changes = 99
    guard stage == .closure else {
      let cart = stage.makeCart(restoring: try SavedCart(.holdingOne()))
      return [
        try await throttledStates(cart.states(), of: changes) { quantity in
          try await cart.setQuantity(quantity, of: CatalogProduct.plenty.id)
        }
      ]
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(restoring: try SavedCart(.holdingOne()), callbackQueue: callbacks)
    let shown = Tally()
    let binding = cart.bind { _ in shown.increment() }
    for change in 1...changes { cart.setQuantity(change + 1, of: CatalogProduct.plenty.id) }
    try await until { cart.state.cart.itemCount == changes + 1 }
    await drain(callbacks)
    binding.cancel()
    return [shown.count]
  }
  .variant(of: .closure, "with a timer in the observer") {
    let (callbacks, clock, shown) = (DispatchQueue(label: "callbacks"), VirtualClock(), Tally())
    let interval = Duration.milliseconds(100)
    let throttle = TimerThrottle<CartState>(interval: interval, scheduler: clock, queue: callbacks) { _ in
      shown.increment()
    }
    let cart = CartClosureViewModel(restoring: try SavedCart(.holdingOne()), callbackQueue: callbacks)
    let binding = cart.bind { throttle.receive($0) }
    for change in 1...99 { cart.setQuantity(change + 1, of: CatalogProduct.plenty.id) }
    try await until { cart.state.cart.itemCount == 100 }
    await drain(callbacks)
    clock.advance(by: interval)
    await drain(callbacks)
    binding.cancel()
    return [shown.count]
  }

  /// How many states a throttled observer receives.
  private static func throttledStates(
    _ states: AsyncStream<CartState>, of changes: Int, _ setQuantity: Change
  ) async throws -> Int {
    let (interval, clock) = (Duration.milliseconds(100), VirtualClock())
    let states = WatchedDemand(states)
    let observer = StateRecorder(states.throttled(for: interval, clock: clock))
    try await observer.waitForStates(1)
    for change in 1...changes {
      try await setQuantity(change + 1)
      await states.demand.waitForArrivals(change + 2)
    }
    await clock.waitForSleepers(1)
    clock.advance(by: interval)
    try await observer.first { $0.cart.itemCount == changes + 1 }
    return observer.states.count
  }

  static let backPressure = Probe(
    "back-pressure", "1,000 changes while an observer is busy: the states in its queue",
    wanted: .exactly(1, of: 1_000, "queued")
  ) { stage in
    let changes = 1_000
    guard stage == .closure else {
      let cart = stage.makeCart(restoring: try SavedCart(.holdingOne()))
      return [
        try await waitingStates(cart.states(), after: changes) { quantity in
          try await cart.setQuantity(quantity, of: CatalogProduct.plenty.id)
        }
      ]
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(restoring: try SavedCart(.holdingOne()), callbackQueue: callbacks)
    let waiting = Tally()
    let binding = cart.bind { if $0.cart.itemCount > 1 { waiting.increment() } }
    await drain(callbacks)
    callbacks.suspend()
    for change in 1...changes { cart.setQuantity(change + 1, of: CatalogProduct.plenty.id) }
    try await until { cart.state.cart.itemCount == changes + 1 }
    callbacks.resume()
    await drain(callbacks)
    binding.cancel()
    return [waiting.count]
  }
  .variant(of: .closure, "bridged to a stream") {
    let cart = BridgedCart(cart: try .holdingOne())
    return [
      try await waitingStates(cart.states(), after: 1_000) { quantity in
        try await cart.setQuantity(quantity, of: CatalogProduct.plenty.id)
      }
    ]
  }

  /// How many states an observer reads after changes during which it was busy.
  private static func waitingStates(
    _ states: AsyncStream<CartState>, after changes: Int, _ setQuantity: Change
  ) async throws -> Int {
    var states = states.makeAsyncIterator()
    _ = await states.next()
    for change in 1...changes { try await setQuantity(change + 1) }
    var waiting = 0
    repeat { waiting += 1 } while await states.next()?.cart.itemCount != changes + 1
    return waiting
  }
}
