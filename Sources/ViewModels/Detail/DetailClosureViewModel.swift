public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the storefront's product screen, in the closure stage.
public typealias ProductDetailClosureViewModel = DetailClosureViewModel<CatalogProduct>

/// The view model of a screen that shows one item, in the closure stage: completion handlers and one observer.
///
/// A route to the screen consists of the item's ID and a ``DetailSource``.
///
/// - Isolation: The private serial `queue` guards the request and the feed; the compiler does not check this. The observer and the
///   completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``cancel()`` takes
///   effect before it returns. All other intents take effect asynchronously. If a new request replaces a running one, the answer to
///   the old request is dropped, and the callers of both requests wait for the new one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load sends no more states. The observer may still receive states that
///   were sent before. Releasing the view model cancels the request and ends the reader of its feed.
/// - Hazards: There is one observer, and a new binding replaces it. Observers and completion handlers keep alive the objects that
///   they capture strongly. ``cancel()`` waits for `queue`, so it deadlocks if it is called on `queue`, for example by a service
///   that is starting a request, or by the `deinit` of an item that a new answer replaces.
public final class DetailClosureViewModel<Item: Sendable & Identifiable>: @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void

  // Not private, because `state` is inlined into the app, where the type of the items is known.
  @usableFromInline let store: CallbackState<DetailState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "DetailClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any DetailClosureService<Item>
  private let slot: RequestSlot
  private let feed: ItemClosureFeed<Item>?
  private var following: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model. The initializer loads nothing.
  public convenience init(
    itemID: Item.ID, source: DetailSource, service: any DetailClosureService<Item>,
    callbackQueue: DispatchQueue = .main
  ) {
    self.init(itemID: itemID, source: source, service: service, feed: nil, callbackQueue: callbackQueue)
  }

  private init(
    itemID: Item.ID, source: DetailSource, service: any DetailClosureService<Item>,
    feed: ItemClosureFeed<Item>?, callbackQueue: DispatchQueue
  ) {
    store = CallbackState(DetailState(itemID: itemID, source: source))
    queue = DispatchQueue(label: "DetailClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    self.feed = feed
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  // The last reference can be released on the queue, and the feed's cancellation handler may wait for the queue.
  deinit { following?.cancelOnGlobalQueue() }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  @inlinable public var state: DetailState<Item> { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(_ observer: @escaping @Sendable (DetailState<Item>) -> Void) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Loads the item, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// If there is no such item, the load fails with ``/StorefrontDomain/ServiceError/notFound(_:)``, which names the item.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the item again, and replaces a load that is in progress. The old item stays until the answer arrives. After a failure,
  /// the state contains the old item and the error.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress, if any, and restores the state from before the load.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.isLoading else { return nil }
      store.update { $0.cancel() }
      updates.end()
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard state.needsRequest(for: intent) else { return slot.notify(completion) }
      follow()
      store.update { $0.begin() }
      updates.begin()
      slot.run(completion) {
        service.detail(of: state.itemID, completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<Item>) {
    let answer = updates.end(with: outcome)
    store.update { $0.receive(answer) }
  }

  private func follow() {
    guard let feed, !state.isFollowing else { return }
    store.update { $0.beginFollowing() }
    // The earlier reader has ended. A feed that has not released its reader does so now.
    following?.cancelOnGlobalQueue()
    following = feed.follow(on: queue) { [weak self] update in
      self?.receive(update)
    } completion: { [weak self] outcome in
      self?.store.update { $0.endFollowing(outcome) }
    }
  }

  private func receive(_ update: ItemUpdate<Item>) {
    updates.receive(update)
    if state.shows(update) { store.update { $0.receive(update) } }
  }
}

extension DetailClosureViewModel where Item == CatalogProduct {
  /// Creates a view model of a product that follows a feed. The initializer loads nothing.
  ///
  /// The screen follows from the first request on, until it is released or the feed ends. ``cancel()`` does not end that. An update
  /// that arrives while a request is in flight also changes the answer, so that the answer does not bring back an older price or
  /// stock. If the feed fails, the screen keeps its product, and ``DetailState/feedFailure`` is the error.
  public convenience init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailClosureService<Item>,
    feed: any ProductClosureFeed, callbackQueue: DispatchQueue = .main
  ) {
    self.init(
      itemID: itemID, source: source, service: service, feed: ItemClosureFeed(feed, of: [itemID]),
      callbackQueue: callbackQueue)
  }
}
