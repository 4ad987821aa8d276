import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let severalObservers = Probe(
    "several observers", "three observers of one cart, one add", wanted: .exactly(3, of: 3, "served")
  ) { stage in
    guard stage == .closure else {
      let cart = stage.makeCart()
      let observers = (1...3).map { _ in StateRecorder(cart.states()) }
      try await cart.add(.plenty, quantity: 1)
      for observer in observers { try await observer.first { !$0.cart.isEmpty } }
      return [observers.count]
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(callbackQueue: callbacks)
    let observers = (1...3).map { _ in Tally() }
    let bindings = observers.map { observer in cart.bind { if !$0.cart.isEmpty { observer.increment() } } }
    cart.add(.plenty)
    try await until { !cart.state.cart.isEmpty }
    await drain(callbacks)
    for binding in bindings { binding.cancel() }
    return [observers.count { $0.count > 0 }]
  }
  .variant(of: .closure, "with a `StateStore` that its observer fills") {
    let cart = CartClosureViewModel(callbackQueue: DispatchQueue(label: "callbacks"))
    let states = StateStore(cart.state)
    let binding = cart.bind { states.send($0) }
    let observers = (1...3).map { _ in StateRecorder(states.states()) }
    cart.add(.plenty)
    for observer in observers { try await observer.first { !$0.cart.isEmpty } }
    binding.cancel()
    return [observers.count]
  }

  static let lateStates = Probe(
    "late states", "a query, a search and a cancel while an observer is busy: what it then receives",
    wanted: .exactly(0, of: 2, "searching states")
  ) { stage in
    let (service, clock) = (ScriptedSearchService<TextHit>(), VirtualClock())
    guard stage == .closure else {
      func cancelledSearch() -> AsyncStream<SearchState<TextHit>> {
        let search = stage.makeSearch(service: service, clock: clock)
        defer { search.cancel() }
        let states = search.states()
        search.setQuery("a")
        search.submit()
        return states
      }
      return [await searchingCount(of: cancelledSearch())]
    }
    let (callbacks, late) = (DispatchQueue(label: "callbacks"), Tally())
    let search = SearchClosureViewModel(service: service, scheduler: clock, callbackQueue: callbacks)
    callbacks.suspend()
    let binding = search.bind { if $0.isSearching { late.increment() } }
    search.setQuery("a")
    search.submit()
    search.cancel()
    callbacks.resume()
    await drain(callbacks)
    binding.cancel()
    return [late.count]
  }
  .variant(of: .closure, "bridged to a stream") {
    let callbacks = DispatchQueue(label: "callbacks")
    func cancelledSearch() -> AsyncStream<SearchState<TextHit>> {
      let search = SearchClosureViewModel(
        service: ScriptedSearchService<TextHit>(), scheduler: VirtualClock(), callbackQueue: callbacks)
      defer { search.cancel() }
      let states = AsyncStream(buffering: .latest) { search.bind($0) }
      search.setQuery("a")
      search.submit()
      return states
    }
    let states = cancelledSearch()
    await drain(callbacks)
    return [await searchingCount(of: states)]
  }

  /// Reads the states of a released search up to their end, and counts those during a request.
  private static func searchingCount(of states: AsyncStream<SearchState<TextHit>>) async -> Int {
    await states.reduce(0) { $0 + ($1.isSearching ? 1 : 0) }
  }

  static let ordering = Probe(
    "ordering", "200 changes in a row: every state that an observer gets",
    wanted: .exactly(0, of: 200, "out of order")
  ) { stage in
    let cart = stage.makeCart(restoring: try SavedCart(.holdingOne()))
    let observer = StateRecorder(cart.states())
    for quantity in 2...201 { try await cart.setQuantity(quantity, of: CatalogProduct.plenty.id) }
    try await observer.first { $0.cart.itemCount == 201 }
    let shown = observer.states.map(\.cart.itemCount)
    return [zip(shown, shown.dropFirst()).count { $0 > $1 }]
  }

  static let endOfObservation = Probe(
    "end of observation", "a view model is released: the observers that are notified",
    wanted: .exactly(1, of: 1, "notified")
  ) { stage in
    guard stage == .closure else {
      // A separate function, because a debug build keeps a local variable to the end of its scope.
      func observer() -> StateRecorder<CartState> { StateRecorder(stage.makeCart().states()) }
      try await observer().waitForEnd()
      return [1]
    }
    let (callbacks, calls) = (DispatchQueue(label: "callbacks"), Tally())
    func bindToOneThatGoes() -> CancellationToken {
      CartClosureViewModel(callbackQueue: callbacks).bind { _ in calls.increment() }
    }
    let binding = bindToOneThatGoes()
    await drain(callbacks)
    // The first call is the current state. A second call, or a cancelled token, would report the end.
    return [calls.count > 1 || binding.isCancelled ? 1 : 0]
  }
  .variant(of: .closure, "bridged to a stream") {
    func observer() -> StateRecorder<CartState> { StateRecorder(BridgedCart().states()) }
    try await observer().waitForEnd()
    return [1]
  }

  /// Returns when all work that was already on the serial `queue` has run.
  static func drain(_ queue: DispatchQueue) async {
    let gate = Gate()
    queue.async { gate.open() }
    await gate.wait()
  }
}
