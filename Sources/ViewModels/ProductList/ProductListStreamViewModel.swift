public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the product list, in the stream stage. See ``ProductListState``.
///
/// - Isolation: `queue` guards the request and the feed. Calls handlers on `callbackQueue`.
/// - Ordering: Intents take effect in call order, ``cancel()`` before it returns.
/// - Cancellation: Releasing the view model ends the load and the reader of the feed. After
///   ``cancel()``, nothing is published.
/// - Hazards: Handlers retain their captures. ``cancel()`` deadlocks on `queue`: in a service that
///   starts a request.
public final class ProductListStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: StateStore<ProductListState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductListStreamViewModel")
  private let queue: DispatchQueue
  private let service: any PageClosureService<CatalogProduct>
  private let slot: RequestSlot
  private let feed: (any ProductClosureFeed)?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight()

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameter feed: Reports prices and stocks. See ``ProductListState/following``.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<CatalogProduct>, feed: (any ProductClosureFeed)? = nil,
    pageSize: Int = 50, callbackQueue: DispatchQueue = .main
  ) {
    store = StateStore(ProductListState(pageSize: pageSize))
    queue = DispatchQueue(label: "ProductListStreamViewModel")
    self.service = service
    self.feed = feed
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  deinit { reader?.cancelOnGlobalQueue() }

  /// Loads the first page. See ``ProductListState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the first page again. See ``ProductListState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.reload, completion) }

  /// Loads the next page. See ``ProductListState``.
  public func loadNextPage(completion: LoadCompletion? = nil) { perform(.loadNextPage, completion) }

  /// Repeats the latest failed load. See ``ProductListState``.
  public func retry(completion: LoadCompletion? = nil) { perform(.retry, completion) }

  /// Cancels the load. See ``ProductListState``.
  public func cancel() {
    slot.cancel {
      store.update { $0.cancel() }
      updates.end()
    }
  }

  private func perform(_ intent: PageIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let request = state.request(for: intent) else { return slot.notify(completion) }
      follow()
      store.update { $0.begin(request) }
      updates.begin()
      slot.run(completion) {
        service.page(request, completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<Page<CatalogProduct>>) {
    let response = updates.end(with: outcome)
    // A copy of the old state would copy the whole list.
    store.updateInPlace { $0.receive(response) }
  }

  private func follow() {
    guard let feed, !state.following.isActive else { return }
    store.update { $0.following.begin() }
    reader?.cancelOnGlobalQueue()
    // The products of the list are not known before the first request.
    reader = feed.follow(nil, on: queue) { [weak self] update in
      self?.receive(update)
    } completion: { [weak self] outcome in
      self?.store.update { $0.following.end(outcome) }
    }
  }

  private func receive(_ update: ProductUpdate) {
    updates.receive(update)
    if state.shows(update) { store.updateInPlace { $0.receive(update) } }
  }
}
