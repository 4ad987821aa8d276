public import AsyncViewModels
public import StorefrontDomain

/// The view model of the cart, in the async stage. See ``CartState``.
///
/// - Isolation: Changes run on the caller's thread, loads on the executor of `isolation`.
/// - Ordering: Changes take effect before they first suspend, loads when they reach the actor.
/// - Cancellation: A change is never cancelled, and keeps the view model alive until it is
///   answered. A cancelled caller of a load returns early. The last caller to leave cancels the
///   load.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor CartViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartViewModel")
  private let service: (any CartService)?
  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let savedStore: SavedStore<StateStore<CartState>>
  private let feed: (any ProductFeed)?
  private let slot = TaskSlot(.latest)
  private let callers = ChangeCallers()
  private var reader: CancellationToken?

  /// Creates a view model, and sends nothing.
  ///
  /// - Parameters:
  ///   - saved: The cart that `storage` contains, or another initial cart.
  ///   - service: Confirms or refuses each change. Without it, the cart exists only on this device.
  ///   - storage: Keeps the cart and its pending changes. See ``CartState``.
  ///   - feed: Reports prices and stocks. See ``CartState/following``.
  ///   - deadline: The time in which the service has to answer.
  ///   - clock: Measures the deadline.
  public init(
    restoring saved: SavedCart = SavedCart(), service: (any CartService)? = nil,
    storage: (any CartStorage)? = nil, feed: (any ProductFeed)? = nil, deadline: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(), isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(CartState(saved, hasService: service != nil), on: isolation)
    savedStore = SavedStore(modelState.store, in: storage?.asClosure)
    self.service = service
    self.deadline = deadline
    self.clock = clock
    self.feed = feed
  }

  /// Adds units, and returns after success. A cancelled caller also waits. See ``CartState``.
  public nonisolated func add(_ product: CatalogProduct, quantity: Int = 1) async throws {
    try await perform(.add(product, quantity: quantity))
  }

  /// Sets the quantity of an item. See ``CartState``.
  public nonisolated func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await perform(.setQuantity(quantity, of: id))
  }

  /// Removes an item. See ``CartState``.
  public nonisolated func remove(_ id: CatalogProduct.ID) async throws { try await perform(.remove(id)) }

  /// Loads the cart. See ``CartState``.
  public nonisolated func load() async { await request(for: .current) }

  /// Rolls back the unanswered changes. See ``CartState``.
  public nonisolated func discardUnanswered() { execute(savedStore.update { $0.discardUnanswered() }) }

  /// Cancels the load. See ``CartState``.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancelLoad() }
    slot.cancel()
  }

  /// Saves what the storage lacks. A cancelled caller also waits. See ``CartState``.
  public nonisolated func flush() async throws { try await savedStore.flush() }

  /// Closes the cart for good. A cancelled caller also waits. See ``CartState``.
  public func close() async {
    store.update { $0.close() }
    store.finish()
    callers.close(throwing: CartError.closed)
    slot.cancel()
    reader?.cancel()
    await savedStore.close(throwing: CartError.closed)
  }

  private nonisolated func perform(_ intent: CartIntent) async throws {
    let step = try savedStore.updateInPlace { try $0.begin(intent) }
    guard let change = step.change else { return }
    execute(step)
    try await callers.wait(for: change)
  }

  private nonisolated func execute(_ step: CartStep) {
    for (change, result) in step.results { callers.complete(change, result) }
    for request in step.requests { send(request) }
  }

  private nonisolated func send(_ request: CartRequest) {
    guard let service else { return }
    let liveObject = LiveObjectToken(.task, "CartViewModel")
    // Retains `self`: other changes, which the cart already shows, may wait for this one.
    Task {
      defer { liveObject.end() }
      let outcome = await TaskOutcome {
        try await withAbandoningDeadline(deadline, clock: clock) { [store] in
          // The cart may have been closed before this task began.
          if store.value.isClosed { throw CartError.closed }
          try await request.send(to: service)
        }
      }
      execute(savedStore.update { $0.receive(outcome, for: request) })
    }
  }

  /// Asks the service for its cart each time it is due, until the load is over.
  private func request(for account: AccountVersion) async {
    guard let service, !state.isClosed else { return }
    follow()
    execute(store.update { $0.beginLoad(for: account) })
    await slot.run(on: self) { [store, deadline, clock] gate in
      while gate.isOpen, (try? await store.first { $0.isCartDue || !$0.isLoading })?.isLoading == true {
        // Another change can have begun meanwhile.
        guard let begins = await gate({ $0.store.update { $0.beginCartRequest() } }), begins else { continue }
        let cart = await TaskOutcome {
          try await withAbandoningDeadline(deadline, clock: clock) { try await service.cart() }
        }
        await gate { $0.savedStore.update { $0.receiveCart(cart) } }
      }
    } onCancel: { model in
      model.store.update { $0.cancelLoad() }
    }
  }

  private func follow() {
    guard let feed, state.canFollow else { return }
    store.update { $0.following.begin() }
    reader = feed.updates(of: nil).observe(on: self) { model, update in
      if model.state.needs(update) { model.store.updateInPlace { $0.receive(update) } }
    } completion: { model, result in
      model.store.update { $0.following.end(TaskOutcome(result)) }
    }
  }
}
