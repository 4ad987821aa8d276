import AsyncViewModels
import AsyncViewModelsCommandLine
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let severalObservers = Probe("several observers", "three observers of one cart, one add") { stage in
    let served = try await observersServed(stage)
    return Finding(served == 3 ? .works : .fails, "\(served) of 3 served")
  }

  private static func observersServed(_ stage: MigrationStage) async throws -> Int {
    guard stage == .closure else {
      let cart = stage.makeCart()
      let observers = (1...3).map { _ in StateRecorder(cart.states()) }
      try await cart.add(.plenty, quantity: 1)
      for observer in observers { try await observer.first { !$0.cart.isEmpty } }
      return observers.count
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(callbackQueue: callbacks)
    let observers = (1...3).map { _ in Tally() }
    let bindings = observers.map { observer in cart.bind { if !$0.cart.isEmpty { observer.increment() } } }
    cart.add(.plenty)
    try await until { !cart.state.cart.isEmpty }
    await drain(callbacks)
    for binding in bindings { binding.cancel() }
    return observers.count { $0.count > 0 }
  }

  static let throttle = Probe(
    "throttle", "99 changes within 100 ms, for an observer that wants one state per 100 ms"
  ) { stage in
    let shown = try await statesShown(stage, of: 99, within: .milliseconds(100))
    return Finding(shown == 2 ? .works : .fails, "\(shown) of 100 delivered")
  }

  private static func statesShown(
    _ stage: MigrationStage, of changes: Int, within interval: Duration
  ) async throws -> Int {
    guard stage == .closure else {
      let (cart, clock) = (stage.makeCart(cart: try .holdingOne()), VirtualClock())
      let states = WatchedDemand(cart.states())
      let observer = StateRecorder(states.throttled(for: interval, clock: clock))
      try await observer.waitForStates(1)
      for change in 1...changes {
        try await cart.setQuantity(change + 1, of: Product.plenty.id)
        await states.demand.waitForArrivals(change + 2)
      }
      await clock.waitForSleepers(1)
      clock.advance(by: interval)
      try await observer.first { $0.cart.itemCount == changes + 1 }
      return observer.states.count
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(cart: try .holdingOne(), callbackQueue: callbacks)
    let shown = Tally()
    let binding = cart.bind { _ in shown.increment() }
    for change in 1...changes { cart.setQuantity(change + 1, of: Product.plenty.id) }
    try await until { cart.state.cart.itemCount == changes + 1 }
    await drain(callbacks)
    binding.cancel()
    return shown.count
  }

  static let ordering = Probe("ordering", "200 changes in a row: every state that an observer gets") {
    stage in
    let cart = stage.makeCart(cart: try .holdingOne())
    let observer = StateRecorder(cart.states())
    for quantity in 2...201 { try await cart.setQuantity(quantity, of: Product.plenty.id) }
    try await observer.first { $0.cart.itemCount == 201 }
    let shown = observer.states.map(\.cart.itemCount)
    let disorder = zip(shown, shown.dropFirst()).count { $0 > $1 }
    return Finding(disorder == 0 ? .works : .fails, "\(disorder) of 200 out of order")
  }

  static let backPressure = Probe(
    "back-pressure", "1,000 changes while an observer is busy: the states in its queue"
  ) { stage in
    let waiting = try await statesThatWait(stage, after: 1_000)
    return Finding(waiting == 1 ? .works : .fails, "\(waiting.grouped) of 1,000 queued")
  }

  private static func statesThatWait(_ stage: MigrationStage, after changes: Int) async throws -> Int {
    guard stage == .closure else {
      let cart = stage.makeCart(cart: try .holdingOne())
      var states = cart.states().makeAsyncIterator()
      _ = await states.next()
      for change in 1...changes { try await cart.setQuantity(change + 1, of: Product.plenty.id) }
      var waiting = 0
      repeat { waiting += 1 } while await states.next()?.cart.itemCount != changes + 1
      return waiting
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(cart: try .holdingOne(), callbackQueue: callbacks)
    let waiting = Tally()
    let binding = cart.bind { if $0.cart.itemCount > 1 { waiting.increment() } }
    await drain(callbacks)
    callbacks.suspend()
    for change in 1...changes { cart.setQuantity(change + 1, of: Product.plenty.id) }
    try await until { cart.state.cart.itemCount == changes + 1 }
    callbacks.resume()
    await drain(callbacks)
    binding.cancel()
    return waiting.count
  }

  static let endOfObservation = Probe(
    "end of observation", "a view model is released: the observers that are notified"
  ) { stage in
    let told = try await observersTold(stage)
    return Finding(told == 1 ? .works : .fails, "\(told) of 1 notified")
  }

  private static func observersTold(_ stage: MigrationStage) async throws -> Int {
    guard stage == .closure else {
      // A separate function, because a debug build keeps a local variable to the end of its scope.
      func observer() -> StateRecorder<CartState> { StateRecorder(stage.makeCart().states()) }
      try await observer().waitForEnd()
      return 1
    }
    let (callbacks, calls) = (DispatchQueue(label: "callbacks"), Tally())
    func bindToOneThatGoes() -> CancellationToken {
      CartClosureViewModel(callbackQueue: callbacks).bind { _ in calls.increment() }
    }
    let binding = bindToOneThatGoes()
    await drain(callbacks)
    // The first call is the current state. A second call, or a cancelled token, would report the end.
    return calls.count > 1 || binding.isCancelled ? 1 : 0
  }

  static let lostEvents = Probe(
    "lost events", "10 navigations: 5 before a screen is bound, 5 with two bound screens"
  ) { stage in
    let lost = 10 - (try await eventsDelivered(stage))
    return Finding(lost == 0 ? .works : .fails, "\(lost) of 10 lost")
  }

  /// How many of ten different events reach at least one screen.
  private static func eventsDelivered(_ stage: MigrationStage) async throws -> Int {
    let service = ScriptedPostService()
    let (events, screens) = AsyncStream<PostsEvent>.makeStream()
    let log = StateRecorder(events)
    guard stage == .closure else {
      let posts = stage.makePosts(service: service)
      try await show(posts, service)
      for number in 1...5 { try posts.select(Post.ID(rawValue: number)) }
      let readers = [posts.events(), posts.events()].map { events in
        Task { for await event in events { screens.yield(event) } }
      }
      for number in 6...10 { try posts.select(Post.ID(rawValue: number)) }
      try await log.waitForStates(10)
      for reader in readers { reader.cancel() }
      return Set(log.states).count
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let posts = PostsClosureViewModel(service: service, callbackQueue: callbacks)
    posts.load()
    try await service.loads.next().succeed(.numbered(1...10))
    for number in 1...5 { try posts.select(Post.ID(rawValue: number)) }
    let bindings = (1...2).map { _ in posts.bindEvents { screens.yield($0) } }
    for number in 6...10 { try posts.select(Post.ID(rawValue: number)) }
    await drain(callbacks)
    for binding in bindings { binding.cancel() }
    screens.finish()
    return Set(try await log.waitForEnd()).count
  }

  private static func show(_ posts: any PostsDriver, _ service: ScriptedPostService) async throws {
    let states = StateRecorder(posts.states())
    await posts.load()
    try await service.loads.next().succeed(.numbered(1...10))
    try await states.first { $0.content.value != nil }
  }
}
