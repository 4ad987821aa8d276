public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the cart, in the closure stage: completion handlers and one observer.
///
/// - Isolation: The private serial `queue` guards the waiting completion handlers; the compiler does not check this.
///   The observer and the completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``cancel()`` and
///   ``close(completion:)`` take effect before they return. All other intents take effect asynchronously. The service receives the
///   changes of one product one after another. Changes of different products are sent at the same time, and the service may answer
///   them in any order.
/// - Cancellation: No caller can cancel a change. The view model stays alive until the service has answered the last change, or its
///   deadline has passed. Releasing the view model cancels a load and ends the reader of its feed.
/// - Hazards: There is one observer, and a new binding replaces it. Observers and completion handlers keep alive the objects that
///   they capture strongly. ``cancel()`` and ``close(completion:)`` wait for `queue`, so they deadlock if they are called on
///   `queue`, for example by a service that is starting a request, or by a storage that is starting a write.
public final class CartClosureViewModel: @unchecked Sendable {
  /// Receives the result of a change: success, or the reason why the change failed.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Called once, when the cart is closed.
  public typealias CloseCompletion = @Sendable () -> Void

  private let store: CallbackState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: (any CartClosureService)?
  private let deadline: Duration
  private let scheduler: any CallbackScheduler
  private let saver: StorageSaver<SavedCart>?
  private let feed: (any ProductClosureFeed)?
  private let slot: RequestSlot
  private var completions: [IdempotencyKey: Completion] = [:]  // guarded by `queue`
  private var loadCompletions: [LoadCompletion] = []  // guarded by `queue`
  private var following: CancellationToken?  // guarded by `queue`

  /// Creates the view model of a cart. The initializer loads and sends nothing.
  ///
  /// - Parameters:
  ///   - saved: The cart that `storage` contains, or another initial cart. The first load sends its unanswered changes.
  ///   - service: Confirms or refuses each change. Without a service, the cart exists only on this device.
  ///   - storage: Keeps the cart and its pending changes. They are saved after each change. A storage
  ///     belongs to one cart and to one account: use no second view model with it, not even after this one is released, while
  ///     changes are pending, and remove its contents when the user signs out, after the end of ``close(completion:)``.
  ///   - feed: Reports prices and stocks. The cart follows it from the first load on, until the cart is released or the feed
  ///     ends. ``cancel()`` does not end that. If the feed fails, ``CartState/feedFailure`` is the error.
  ///   - deadline: The time in which the service has to answer a change, or has to send its cart.
  ///   - scheduler: Measures the deadline.
  public init(
    restoring saved: SavedCart = SavedCart(), service: (any CartClosureService)? = nil,
    storage: (any CartClosureStorage)? = nil, feed: (any ProductClosureFeed)? = nil,
    deadline: Duration = .seconds(60),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), callbackQueue: DispatchQueue = .main
  ) {
    let store = CallbackState(CartState(saved, hasService: service != nil))
    self.store = store
    queue = DispatchQueue(label: "CartClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    self.deadline = deadline
    self.scheduler = scheduler
    self.feed = feed
    saver = storage.map { storage in
      StorageSaver(storage) {
        store.value.saved
      } report: { result in
        store.update { $0.recordSave(result) }
      }
    }
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  public var state: CartState { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(_ observer: @escaping @Sendable (CartState) -> Void) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Adds units of a product. The cart shows them without waiting for the service. `completion` is called once, when the change has
  /// succeeded or failed. Without a service, a change succeeds unless a rule of the cart refuses it.
  ///
  /// The change fails with a ``/StorefrontDomain/CartError`` if the service or a rule of the cart refuses the change. A rule can
  /// also refuse the change later, after an earlier change has failed. Then the change is rolled back.
  ///
  /// If the service does not answer, the change fails with ``/StorefrontDomain/CartError/unanswered(_:reason:)``. It is not rolled
  /// back, because the service may have made it. ``load(completion:)`` sends it again.
  public func add(_ product: CatalogProduct, quantity: Int = 1, completion: @escaping Completion = { _ in }) {
    perform(.add(product, quantity: quantity), completion)
  }

  /// Sets the quantity of an item. A quantity of 0 removes the item. Fails as ``add(_:quantity:completion:)`` does.
  public func setQuantity(
    _ quantity: Int, of id: CatalogProduct.ID, completion: @escaping Completion = { _ in }
  ) {
    perform(.setQuantity(quantity, of: id), completion)
  }

  /// Removes an item. Fails as ``add(_:quantity:completion:)`` does.
  public func remove(_ id: CatalogProduct.ID, completion: @escaping Completion = { _ in }) {
    perform(.remove(id), completion)
  }

  /// Sends the unanswered changes again, and then shows the service's cart. Fails if a change stays unanswered. If changes begin
  /// during the load, waits until no change is pending, and loads the cart again. Replaces a load in progress: the callers of
  /// both loads wait for the new one.
  ///
  /// `completion` is called once, when the load is over, or right away without a service.
  public func load(completion: LoadCompletion? = nil) {
    let account = AccountVersion.current
    queue.async { [self] in
      if let completion { loadCompletions.append(completion) }
      follow()
      let replaced = slot.cancelRequest()
      carryOut(store.update { $0.beginLoad(for: account) })
      replaced?.cancelOnGlobalQueue()
    }
  }

  /// Gives up the changes that the service has not answered, and the changes that wait for them: rolls them back, and does not send
  /// them again once the storage has saved this. The changes that are being sent stay.
  ///
  /// The service may have made the changes, or can still make them if it receives a request late. So call ``load(completion:)`` before the
  /// shopper makes the next change.
  public func discardUnanswered() {
    queue.async { [self] in
      let step = store.update { $0.discardUnanswered() }
      saver?.save()
      carryOut(step)
    }
  }

  /// Cancels the load in progress, if any. The changes that it sends continue.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.isLoading else { return nil }
      store.update { $0.cancelLoad() }
      continueLoad()
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  /// Saves what the storage lacks. Call this method before the storage is closed or the app is suspended: a change that was made
  /// during a save is saved only after it.
  ///
  /// `completion` is called once, when the storage contains all earlier changes of this cart, or with the error of the save. Without
  /// a storage, it succeeds.
  public func flush(completion: @escaping Completion) {
    queue.async { [saver, callbackQueue] in
      let complete: Completion = { result in callbackQueue.async { completion(result) } }
      if let saver { saver.save(completion: complete) } else { complete(.success(())) }
    }
  }

  /// Closes the cart for good, as ``CartState`` describes it. Call this method when the shopper signs out.
  ///
  /// After this call, no change is sent, and only the save in progress, if any, continues. `completion` is called once, when that save
  /// has ended. Remove the contents of the storage after that.
  public func close(completion: CloseCompletion? = nil) {
    let cancelled = queue.sync { () -> [CancellationToken?] in
      let step = store.update { $0.close() }
      carryOut(step)
      return [slot.cancel(), following.take()]
    }
    // Outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    for token in cancelled { token?.cancel() }
    let complete: CloseCompletion = { [callbackQueue] in
      if let completion { callbackQueue.async(execute: completion) }
    }
    if let saver { saver.close(throwing: CartError.closed, completion: complete) } else { complete() }
  }

  private func perform(_ intent: CartIntent, _ completion: @escaping Completion) {
    let account = AccountVersion.current
    queue.async { [self] in
      do {
        if service == nil {
          try store.update { state throws(CartError) in try state.apply(intent) }
          saver?.save()
          callbackQueue.async { completion(.success(())) }
        } else {
          let key = IdempotencyKey()
          let step = try store.update { state throws(CartError) in
            try state.begin(intent, key: key, for: account)
          }
          completions[key] = completion
          saver?.save()
          carryOut(step)
        }
      } catch {
        callbackQueue.async { completion(.failure(error)) }
      }
    }
  }

  private func carryOut(_ step: CartStep) {
    for (key, result) in step.results {
      if let completion = completions.removeValue(forKey: key) { callbackQueue.async { completion(result) } }
    }
    for request in step.requests { send(request) }
    continueLoad()
  }

  private func send(_ request: CartRequest) {
    guard let service else { return }
    runToCompletion(deadline: deadline, scheduler: scheduler, on: queue) { completion in
      request.account.run {
        service.apply(request.unanswered.change, key: request.unanswered.key, completion: completion)
      }
    } completion: { [self] result in
      // Captures `self` strongly: other changes, which the cart already shows, may wait for this one.
      queue.async {
        let step = self.store.update { $0.receive(result, for: request) }
        // Before the callers learn the result, so that they can wait for the storage.
        self.saver?.save()
        self.carryOut(step)
      }
    }
  }

  /// Asks the service for its cart if no change is pending, and ends a load that is over.
  private func continueLoad() {
    if let service, state.isCartDue, store.update({ $0.beginCartRequest() }) {
      slot.run(deadline: deadline, scheduler: scheduler) {
        service.cart(completion: $0)
      } receive: { [weak self] result in
        guard let self else { return }
        store.update { $0.receiveCart(TaskOutcome(result)) }
        saver?.save()
        continueLoad()
      }
    }
    if !state.isLoading { completeLoad() }
  }

  private func completeLoad() {
    for completion in exchange(&loadCompletions, with: []) { callbackQueue.async(execute: completion) }
  }

  private func follow() {
    guard let feed, state.canFollow else { return }
    store.update { $0.beginFollowing() }
    // The earlier reader has ended. A feed that has not released its reader does so now.
    following?.cancelOnGlobalQueue()
    // Ignores a feed that calls back after its end.
    let end = CancellationToken {}
    following = feed.updates(of: nil, on: queue) { [weak self] update in
      guard !end.isCancelled, let self, state.needs(update) else { return }
      store.update { $0.receive(update) }
    } completion: { [weak self] result in
      guard !end.isCancelled else { return }
      end.cancel()
      self?.store.update { $0.endFollowing(TaskOutcome(result)) }
    }
  }

  deinit {
    completeLoad()
    // The last reference can be released on the queue, and the feed's cancellation handler may wait for the queue.
    following?.cancelOnGlobalQueue()
  }
}
