public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the storefront's list of products, in the stream stage.
public typealias ProductListStreamViewModel = PagedListStreamViewModel<CatalogProduct>

/// The view model of a paged list, in the stream stage. See ``PagedListState``.
///
/// - Isolation: `queue` guards the request and the feed. Calls handlers on `callbackQueue`.
/// - Ordering: Intents take effect in call order, ``cancel()`` before it returns.
/// - Cancellation: Releasing the view model ends the load and the reader of the feed. After
///   ``cancel()``, nothing is published.
/// - Hazards: Handlers retain their captures. ``cancel()`` deadlocks on `queue`: in a service that
///   starts a request, or the `deinit` of a replaced item.
public final class PagedListStreamViewModel<Item: Sendable & Identifiable>: StateSource, @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: StateStore<PagedListState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "PagedListStreamViewModel")
  private let queue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot
  private let feed: ItemClosureFeed<Item>?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model, and loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<Item>, pageSize: Int = 50, callbackQueue: DispatchQueue = .main
  ) {
    self.init(service: service, feed: nil, pageSize: pageSize, callbackQueue: callbackQueue)
  }

  private init(
    service: any PageClosureService<Item>, feed: ItemClosureFeed<Item>?, pageSize: Int,
    callbackQueue: DispatchQueue
  ) {
    store = StateStore(PagedListState(pageSize: pageSize))
    queue = DispatchQueue(label: "PagedListStreamViewModel")
    self.service = service
    self.feed = feed
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  deinit { reader?.cancelOnGlobalQueue() }

  /// Loads the first page. See ``PagedListState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the first page again. See ``PagedListState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.reload, completion) }

  /// Loads the next page. See ``PagedListState``.
  public func loadNextPage(completion: LoadCompletion? = nil) { perform(.loadNextPage, completion) }

  /// Repeats the latest failed load. See ``PagedListState``.
  public func retry(completion: LoadCompletion? = nil) { perform(.retry, completion) }

  /// Cancels the load. See ``PagedListState``.
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

  private func receive(_ outcome: TaskOutcome<Page<Item>>) {
    let response = updates.end(with: outcome)
    // A copy of the old state would copy the whole list.
    store.updateInPlace { $0.receive(response) }
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
    if state.shows(update) { store.updateInPlace { $0.receive(update) } }
  }
}

extension PagedListStreamViewModel where Item == CatalogProduct {
  /// Creates a view model of products that follows a feed, and loads nothing. See
  /// ``PagedListState/following``.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<Item>, feed: any ProductClosureFeed, pageSize: Int = 50,
    callbackQueue: DispatchQueue = .main
  ) {
    // The products of the list are not known before the first request.
    self.init(
      service: service, feed: ItemClosureFeed(feed, of: nil), pageSize: pageSize,
      callbackQueue: callbackQueue)
  }
}
