public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of a product's detail, in the stream stage. See ``ProductDetailState``.
///
/// - Isolation: `queue` guards the request and the feed. Calls handlers on `callbackQueue`.
/// - Ordering: Intents take effect in call order, ``cancel()`` before it returns.
/// - Cancellation: Releasing the view model ends the load and the reader of the feed. After
///   ``cancel()``, nothing is published.
/// - Hazards: Handlers retain their captures. ``cancel()`` deadlocks on `queue`: in a service that
///   starts a request.
public final class ProductDetailStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: StateStore<ProductDetailState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductDetailStreamViewModel")
  private let queue: DispatchQueue
  private let service: any DetailClosureService<CatalogProduct>
  private let slot: RequestSlot
  private let feed: (any ProductClosureFeed)?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight()

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameter feed: Reports prices and stocks. See ``ProductDetailState/following``.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailClosureService<CatalogProduct>,
    feed: (any ProductClosureFeed)? = nil, callbackQueue: DispatchQueue = .main
  ) {
    store = StateStore(ProductDetailState(itemID: itemID, source: source))
    queue = DispatchQueue(label: "ProductDetailStreamViewModel")
    self.service = service
    self.feed = feed
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  deinit { reader?.cancelOnGlobalQueue() }

  /// Loads the product. See ``ProductDetailState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the product again. See ``ProductDetailState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load. See ``ProductDetailState``.
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

  private func receive(_ outcome: TaskOutcome<CatalogProduct>) {
    let response = updates.end(with: outcome)
    store.update { $0.receive(response) }
  }

  private func follow() {
    guard let feed, !state.following.isActive else { return }
    store.update { $0.following.begin() }
    reader?.cancelOnGlobalQueue()
    reader = feed.follow([state.itemID], on: queue) { [weak self] update in
      self?.receive(update)
    } completion: { [weak self] outcome in
      self?.store.update { $0.following.end(outcome) }
    }
  }

  private func receive(_ update: ProductUpdate) {
    updates.receive(update)
    if state.shows(update) { store.update { $0.receive(update) } }
  }
}
