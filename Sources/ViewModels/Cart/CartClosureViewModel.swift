public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the cart, in the closure stage. See ``CartState``.
///
/// - Isolation: `queue` guards the load. Calls back on `callbackQueue`.
/// - Ordering: Intents take effect in call order, ``cancel()`` and `close` before they return.
/// - Cancellation: A change is never cancelled, and keeps the view model alive until it is
///   answered. Releasing the view model cancels a load and ends the reader of the feed.
/// - Hazards: One observer. Callbacks retain their captures. ``cancel()`` and `close` deadlock on
///   `queue`: in a service that starts a request, or a storage that starts a write.
public final class CartClosureViewModel: CallbackStateSource, @unchecked Sendable {
  /// Receives the result of a change or of a save, once.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void
  /// Called once, when the load is over, or right away without a service.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Called once, when the cart is closed and no save is in progress.
  public typealias CloseCompletion = @Sendable () -> Void

  public let store: CallbackState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartClosureViewModel")
  private let queue: DispatchQueue
  public let callbackQueue: DispatchQueue
  private let service: (any CartClosureService)?
  private let deadline: Duration
  private let scheduler: any CallbackScheduler
  private let savedStore: SavedStore<CallbackState<CartState>>
  private let feed: (any ProductClosureFeed)?
  private let slot: RequestSlot
  private let callers = ChangeCallers()
  private var reader: CancellationToken?  // guarded by `queue`

  /// Creates a view model, and sends nothing. See the initializer of ``CartViewModel``.
  public init(
    restoring saved: SavedCart = SavedCart(), service: (any CartClosureService)? = nil,
    storage: (any CartClosureStorage)? = nil, feed: (any ProductClosureFeed)? = nil,
    deadline: Duration = .seconds(60),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), callbackQueue: DispatchQueue = .main
  ) {
    store = CallbackState(CartState(saved, hasService: service != nil))
    savedStore = SavedStore(store, in: storage)
    queue = DispatchQueue(label: "CartClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    self.deadline = deadline
    self.scheduler = scheduler
    self.feed = feed
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  deinit { reader?.cancelOnGlobalQueue() }

  /// Adds units of a product. See ``CartState``.
  public func add(_ product: CatalogProduct, quantity: Int = 1, completion: @escaping Completion = { _ in }) {
    perform(.add(product, quantity: quantity), completion)
  }

  /// Sets the quantity of an item. See ``CartState``.
  public func setQuantity(
    _ quantity: Int, of id: CatalogProduct.ID, completion: @escaping Completion = { _ in }
  ) {
    perform(.setQuantity(quantity, of: id), completion)
  }

  /// Removes an item. See ``CartState``.
  public func remove(_ id: CatalogProduct.ID, completion: @escaping Completion = { _ in }) {
    perform(.remove(id), completion)
  }

  /// Loads the cart. See ``CartState``.
  public func load(completion: LoadCompletion? = nil) {
    let account = AccountVersion.current
    queue.async { [self] in
      follow()
      slot.begin(completion)
      execute(store.update { $0.beginLoad(for: account) })
    }
  }

  /// Rolls back the unanswered changes. See ``CartState``.
  public func discardUnanswered() {
    queue.async { [self] in execute(savedStore.update { $0.discardUnanswered() }) }
  }

  /// Cancels the load. See ``CartState``.
  public func cancel() {
    slot.cancel { store.update { $0.cancelLoad() } }
  }

  /// Saves what the storage lacks. Succeeds without a storage. See ``CartState``.
  public func flush(completion: @escaping Completion) {
    queue.async { [savedStore, callbackQueue] in
      savedStore.flush { result in callbackQueue.async { completion(result) } }
    }
  }

  /// Closes the cart for good. See ``CartState``.
  public func close(completion: CloseCompletion? = nil) {
    let cancelled = queue.sync { () -> [CancellationToken?] in
      store.update { $0.close() }
      callers.close(throwing: CartError.closed)
      return [slot.cancel(), reader.take()]
    }
    for token in cancelled { token?.cancel() }
    savedStore.close(throwing: CartError.closed) { [callbackQueue] in
      if let completion { callbackQueue.async(execute: completion) }
    }
  }

  private func perform(_ intent: CartIntent, _ completion: @escaping Completion) {
    let account = AccountVersion.current
    queue.async { [self] in
      let complete: Completion = { [callbackQueue] result in callbackQueue.async { completion(result) } }
      do {
        let step = try savedStore.update { try $0.begin(intent, for: account) }
        guard let change = step.change else { return complete(.success(())) }
        callers.add(complete, for: change)
        execute(step)
      } catch {
        complete(.failure(error))
      }
    }
  }

  private func execute(_ step: CartStep) {
    for (change, result) in step.results { callers.complete(change, result) }
    for request in step.requests { send(request) }
    request()
  }

  private func send(_ request: CartRequest) {
    guard let service else { return }
    runToCompletion(deadline: deadline, scheduler: scheduler, on: queue) {
      request.send(to: service, completion: $0)
    } completion: { [self] result in
      // Retains `self`: other changes, which the cart already shows, may wait for this one.
      queue.async { self.execute(self.savedStore.update { $0.receive(TaskOutcome(result), for: request) }) }
    }
  }

  /// Asks the service for its cart if it is due, and ends a load that is over.
  private func request() {
    if let service, state.isCartDue, store.update({ $0.beginCartRequest() }) {
      slot.run(deadline: deadline, scheduler: scheduler) {
        service.cart(completion: $0)
      } receive: { [weak self] result in
        guard let self else { return }
        savedStore.update { $0.receiveCart(TaskOutcome(result)) }
        if state.isLoading { slot.begin() }
        request()
      }
    }
    if !state.isLoading { slot.cancel()?.cancelOnGlobalQueue() }
  }

  private func follow() {
    guard let feed, state.canFollow else { return }
    store.update { $0.following.begin() }
    reader?.cancelOnGlobalQueue()
    reader = feed.follow(nil, on: queue) { [weak self] update in
      guard let self, state.needs(update) else { return }
      store.update { $0.receive(update) }
    } completion: { [weak self] outcome in
      self?.store.update { $0.following.end(outcome) }
    }
  }
}
