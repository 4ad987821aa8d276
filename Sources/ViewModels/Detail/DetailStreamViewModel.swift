public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the storefront's product screen, in the stream stage.
public typealias ProductDetailStreamViewModel = DetailStreamViewModel<CatalogProduct>

/// The view model of a screen that shows one item, in the stream stage. See ``DetailState``.
///
/// - Isolation: `queue` guards the request and the feed. Calls handlers on `callbackQueue`.
/// - Ordering: Intents take effect in call order, ``cancel()`` before it returns.
/// - Cancellation: Releasing the view model ends the load and the reader of the feed. After
///   ``cancel()``, nothing is published.
/// - Hazards: Handlers retain their captures. ``cancel()`` deadlocks on `queue`: in a service that
///   starts a request, or the `deinit` of a replaced item.
public final class DetailStreamViewModel<Item: Sendable & Identifiable>: StateSource, @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: StateStore<DetailState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "DetailStreamViewModel")
  private let queue: DispatchQueue
  private let service: any DetailClosureService<Item>
  private let slot: RequestSlot
  private let feed: ItemClosureFeed<Item>?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model, and loads nothing.
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
    store = StateStore(DetailState(itemID: itemID, source: source))
    queue = DispatchQueue(label: "DetailStreamViewModel")
    self.service = service
    self.feed = feed
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  deinit { reader?.cancelOnGlobalQueue() }

  /// Loads the item. See ``DetailState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the item again. See ``DetailState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load. See ``DetailState``.
  public func cancel() {
    slot.cancel {
      store.update { $0.cancel() }
      updates.end()
    }
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
    let response = updates.end(with: outcome)
    store.update { $0.receive(response) }
  }

  private func follow() {
    guard let feed, !state.following.isActive else { return }
    store.update { $0.following.begin() }
    reader?.cancelOnGlobalQueue()
    reader = feed.follow(on: queue) { [weak self] update in
      self?.receive(update)
    } completion: { [weak self] outcome in
      self?.store.update { $0.following.end(outcome) }
    }
  }

  private func receive(_ update: ItemUpdate<Item>) {
    updates.receive(update)
    if state.shows(update) { store.update { $0.receive(update) } }
  }
}

extension DetailStreamViewModel where Item == CatalogProduct {
  /// Creates a view model of a product that follows a feed, and loads nothing. See
  /// ``DetailState/following``.
  public convenience init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailClosureService<Item>,
    feed: any ProductClosureFeed, callbackQueue: DispatchQueue = .main
  ) {
    self.init(
      itemID: itemID, source: source, service: service, feed: ItemClosureFeed(feed, of: [itemID]),
      callbackQueue: callbackQueue)
  }
}
