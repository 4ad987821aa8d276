public import AsyncViewModels
public import StorefrontDomain
import Synchronization

/// The view model of the cart, in the async stage: an actor with async methods.
///
/// - Isolation: The changes are nonisolated: they take effect on the caller's thread, before they first suspend. Loads run on the
///   executor of the host, the actor that is passed as `isolation`. Use `state` and `states()` from any thread.
/// - Ordering: The service receives the changes of one product one after another. Changes of different products are sent at the
///   same time, and the service may answer them in any order.
/// - Cancellation: No caller can cancel a change. A cancelled caller still waits for the result, and a change finishes even if the
///   view model is released. A cancelled caller of a load returns without waiting for the service. If no other caller waits for the
///   load, the load is cancelled.
/// - Hazards: None of the hazards of the closure and stream stages: callers need no completion handlers, and no call waits for a
///   queue.
public actor CartViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartViewModel")
  private let sender: CartSender
  private let slot = TaskSlot(.latest)
  private let feed: (any ProductFeed)?
  private var following: CancellationToken?

  /// Creates the view model of a cart. The initializer loads and sends nothing.
  ///
  /// - Parameters:
  ///   - saved: The cart that `storage` contains, or another initial cart. The first load sends its unanswered changes.
  ///   - service: Confirms or refuses each change. Without a service, the cart exists only on this device.
  ///   - storage: Keeps the cart and its pending changes. They are saved after each change. A storage
  ///     belongs to one cart and to one account: use no second view model with it, not even after this one is released, while
  ///     changes are pending, and remove its contents when the user signs out, after the end of ``close()``.
  ///   - feed: Reports prices and stocks. The cart follows it from the first load on, until the cart is released or the feed
  ///     ends. ``cancel()`` does not end that. If the feed fails, ``CartState/feedFailure`` is the error.
  ///   - deadline: The time in which the service has to answer a change, or has to send its cart.
  ///   - clock: Measures the deadline.
  public init(
    restoring saved: SavedCart = SavedCart(), service: (any CartService)? = nil,
    storage: (any CartStorage)? = nil, feed: (any ProductFeed)? = nil, deadline: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(), isolation: (any Actor)? = nil
  ) {
    hosted = HostedState(CartState(saved, hasService: service != nil), on: isolation)
    self.feed = feed
    sender = CartSender(
      store: hosted.store, service: service, storage: storage, deadline: deadline, clock: clock)
  }

  /// Adds units of a product. The cart shows them without waiting for the service. The call returns when the change has succeeded.
  /// Without a service, a change succeeds unless a rule of the cart refuses it.
  ///
  /// - Throws: A ``/StorefrontDomain/CartError`` if the service or a rule of the cart refuses the change. A rule can also refuse the
  ///   change later, after an earlier change has failed. Then the change is rolled back.
  ///   ``/StorefrontDomain/CartError/unanswered(_:reason:)`` if the service does not answer. Then the change is not rolled back,
  ///   because the service may have made it. ``load()`` sends it again.
  public nonisolated func add(_ product: CatalogProduct, quantity: Int = 1) async throws {
    try await sender.perform(.add(product, quantity: quantity))
  }

  /// Sets the quantity of an item. A quantity of 0 removes the item. Throws as ``add(_:quantity:)`` does.
  public nonisolated func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await sender.perform(.setQuantity(quantity, of: id))
  }

  /// Removes an item. Throws as ``add(_:quantity:)`` does.
  public nonisolated func remove(_ id: CatalogProduct.ID) async throws {
    try await sender.perform(.remove(id))
  }

  /// Sends the unanswered changes again, and then shows the service's cart. Fails if a change stays unanswered. If changes begin
  /// during the load, waits until no change is pending, and loads the cart again. Replaces a load in progress: the callers of
  /// both loads wait for the new one. Returns right away without a service.
  public nonisolated func load() async { await load(for: .current) }

  private func load(for account: AccountVersion) async {
    guard let service = sender.service, !state.isClosed else { return }
    follow()
    sender.carryOut(store.update { $0.beginLoad(for: account) })
    await slot.run(on: self) { [store, sender, deadline = sender.deadline, clock = sender.clock] gate in
      while let isDue = try? await store.firstNonNil({ $0.isCartDue ? true : $0.isLoading ? nil : false }),
        isDue
      {
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

  /// Gives up the changes that the service has not answered, and the changes that wait for them: rolls them back, and does not send
  /// them again once the storage has saved this. The changes that are being sent stay.
  ///
  /// The service may have made the changes, or can still make them if it receives a request late. So call ``load()`` before the
  /// shopper makes the next change.
  public nonisolated func discardUnanswered() { sender.discardUnanswered() }

  /// Saves what the storage lacks, and returns when the storage contains all earlier changes of this cart. Call this method before the
  /// storage is closed or the app is suspended: a change that was made during a save is saved only after it. A cancelled caller
  /// also waits.
  ///
  /// - Throws: The error of the save.
  public nonisolated func flush() async throws { try await sender.flush() }

  /// Closes the cart for good, as ``CartState`` describes it. Call this method when the shopper signs out.
  ///
  /// The call returns when the save in progress, if any, has ended. Remove the contents of the storage after that. A cancelled caller
  /// also waits.
  public func close() async {
    let step = store.update { $0.close() }
    store.finish()
    sender.carryOut(step)
    slot.cancel()
    following?.cancel()
    await sender.close()
  }

  /// Cancels the load in progress, if any. The changes that it sends continue.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancelLoad() }
    slot.cancel()
  }
}

/// Sends the changes of a cart, and resumes their callers. Keeps the state alive, but not the view model.
private final class CartSender: Sendable {
  let service: (any CartService)?
  /// A comparison of `service` with `nil` would copy it for each change.
  private let hasService: Bool
  private let store: ObservableState<CartState>
  private let saver: StorageSaver<SavedCart>?
  let deadline: Duration
  let clock: any Clock<Duration>
  private let callers = Mutex<[IdempotencyKey: CheckedContinuation<Void, any Error>]>([:])

  init(
    store: ObservableState<CartState>, service: (any CartService)?, storage: (any CartStorage)?,
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

  /// Makes a change, and waits for its result. A cancelled caller also waits.
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
        carryOut(step)
      } catch {
        resumeCaller(of: key, .failure(error))
      }
    }
  }

  func carryOut(_ step: CartStep) {
    for (key, result) in step.results { resumeCaller(of: key, result) }
    for request in step.requests {
      let liveObject = LiveObjectToken(.task, "CartViewModel")
      Task {
        defer { liveObject.end() }
        await send(request)
      }
    }
  }

  func discardUnanswered() {
    let step = store.update { $0.discardUnanswered() }
    save()
    carryOut(step)
  }

  func save() { saver?.save() }

  func flush() async throws { try await saver?.flush() }

  func close() async { await saver?.close(throwing: CartError.closed) }

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
    carryOut(step)
  }

  private func resumeCaller(of key: IdempotencyKey, _ result: Result<Void, any Error>) {
    callers.withLock { $0.removeValue(forKey: key) }?.resume(with: result)
  }
}
