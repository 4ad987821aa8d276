public import AsyncViewModels
public import StorefrontDomain
import Synchronization

/// The view model of the cart, in the async stage. See ``CartState``.
///
/// - Isolation: Changes run on the caller's thread, loads on the executor of `isolation`.
/// - Ordering: Changes take effect before they first suspend, loads when they reach the actor.
/// - Cancellation: A change is never cancelled, and outlives the view model. A cancelled caller of
///   a load returns early. The last caller to leave cancels the load.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor CartViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartViewModel")
  private let sender: CartSender
  private let feed: (any ProductFeed)?
  private let slot = TaskSlot(.latest)
  private var following: CancellationToken?

  /// Creates a view model, and sends nothing.
  ///
  /// - Parameters:
  ///   - saved: The cart that `storage` contains, or another initial cart.
  ///   - service: Confirms or refuses each change. Without it, the cart exists only on this device.
  ///   - storage: Keeps the cart and its pending changes. See ``CartState``.
  ///   - feed: Reports prices and stocks. See ``CartState/isFollowing``.
  ///   - deadline: The time in which the service has to answer.
  ///   - clock: Measures the deadline.
  public init(
    restoring saved: SavedCart = SavedCart(), service: (any CartService)? = nil,
    storage: (any CartStorage)? = nil, feed: (any ProductFeed)? = nil, deadline: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(), isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(CartState(saved, hasService: service != nil), on: isolation)
    self.feed = feed
    sender = CartSender(
      store: modelState.store, service: service, storage: storage, deadline: deadline, clock: clock)
  }

  /// Adds units, and returns after success. A cancelled caller also waits. See ``CartState``.
  public nonisolated func add(_ product: CatalogProduct, quantity: Int = 1) async throws {
    try await sender.perform(.add(product, quantity: quantity))
  }

  /// Sets the quantity of an item. See ``CartState``.
  public nonisolated func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await sender.perform(.setQuantity(quantity, of: id))
  }

  /// Removes an item. See ``CartState``.
  public nonisolated func remove(_ id: CatalogProduct.ID) async throws {
    try await sender.perform(.remove(id))
  }

  /// Loads the cart. See ``CartState``.
  public nonisolated func load() async { await load(for: .current) }

  /// Rolls back the unanswered changes. See ``CartState``.
  public nonisolated func discardUnanswered() { sender.discardUnanswered() }

  /// Cancels the load. See ``CartState``.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancelLoad() }
    slot.cancel()
  }

  /// Saves what the storage lacks. A cancelled caller also waits. See ``CartState``.
  public nonisolated func flush() async throws { try await sender.flush() }

  /// Closes the cart for good. A cancelled caller also waits. See ``CartState``.
  public func close() async {
    let step = store.update { $0.close() }
    store.finish()
    sender.execute(step)
    slot.cancel()
    following?.cancel()
    await sender.close()
  }

  private func load(for account: AccountVersion) async {
    guard let service = sender.service, !state.isClosed else { return }
    follow()
    sender.execute(store.update { $0.beginLoad(for: account) })
    await slot.run(on: self) { [store, sender, deadline = sender.deadline, clock = sender.clock] gate in
      while (try? await store.first { $0.isCartDue || !$0.isLoading }.isCartDue) == true {
        guard let begins = await gate({ $0.store.update { $0.beginCartRequest() } }) else { return }
        guard begins else { continue }
        let cart = await TaskOutcome(
          Result {
            try await withAbandoningDeadline(deadline, clock: clock) { try await service.cart() }
          })
        guard await gate({ $0.store.update { $0.receiveCart(cart) } }) else { return }
        sender.save()
      }
    } onCancel: { model in
      model.store.update { $0.cancelLoad() }
    }
  }

  private func follow() {
    guard let feed, state.canFollow else { return }
    store.update { $0.beginFollowing() }
    following = feed.updates(of: nil).observe(on: self) { model, update in
      if model.state.needs(update) { model.store.updateInPlace { $0.receive(update) } }
    } completion: { model, result in
      model.store.update { $0.endFollowing(TaskOutcome(result)) }
    }
  }
}

/// Sends the changes of a cart, and resumes their callers. Does not retain the view model.
private final class CartSender: Sendable {
  let service: (any CartService)?
  /// A comparison of `service` with `nil` would copy it for each change.
  private let hasService: Bool
  private let store: StateStore<CartState>
  private let saver: StorageSaver<SavedCart>?
  let deadline: Duration
  let clock: any Clock<Duration>
  private let callers = Mutex<[IdempotencyKey: CheckedContinuation<Void, any Error>]>([:])

  init(
    store: StateStore<CartState>, service: (any CartService)?, storage: (any CartStorage)?,
    deadline: Duration, clock: any Clock<Duration>
  ) {
    self.store = store
    self.service = service
    hasService = service != nil
    self.deadline = deadline
    self.clock = clock
    saver = storage.map { storage in
      StorageSaver(storage.asClosure) {
        store.value.saved
      } report: { result in
        store.update { $0.recordSave(result) }
      }
    }
  }

  func perform(_ intent: CartIntent) async throws {
    if hasService { try await confirm(intent) } else { try apply(intent) }
  }

  private func apply(_ intent: CartIntent) throws {
    try store.updateInPlace { state in Result { () throws(CartError) in try state.apply(intent) } }.get()
    save()
  }

  private func confirm(_ intent: CartIntent) async throws {
    let account = AccountVersion.current
    let key = IdempotencyKey()
    try await withCheckedThrowingContinuation { caller in
      callers.withLock { $0[key] = caller }
      do {
        let step = try store.update { state throws(CartError) in
          try state.begin(intent, key: key, for: account)
        }
        save()
        execute(step)
      } catch {
        resumeCaller(of: key, .failure(error))
      }
    }
  }

  func execute(_ step: CartStep) {
    for (key, result) in step.results { resumeCaller(of: key, result) }
    for request in step.requests {
      let liveObject = LiveObjectToken(.task, "CartViewModel")
      Task {
        defer { liveObject.end() }
        await send(request)
      }
    }
  }

  private func send(_ request: CartRequest) async {
    guard let service else { return }
    let result = await Result {
      try await withAbandoningDeadline(deadline, clock: clock) { [store] in
        if store.value.isClosed { throw CartError.closed }
        try await request.account.run {
          try await service.apply(request.unanswered.change, key: request.unanswered.key)
        }
      }
    }
    let step = store.update { $0.receive(result, for: request) }
    // Before the callers learn the result, so that they can wait for the storage.
    save()
    execute(step)
  }

  func discardUnanswered() {
    let step = store.update { $0.discardUnanswered() }
    save()
    execute(step)
  }

  func save() { saver?.save() }

  func flush() async throws { try await saver?.flush() }

  func close() async { await saver?.close(throwing: CartError.closed) }

  private func resumeCaller(of key: IdempotencyKey, _ result: Result<Void, any Error>) {
    callers.withLock { $0.removeValue(forKey: key) }?.resume(with: result)
  }
}
