public import AsyncViewModels
public import StorefrontDomain

/// The view model of the storefront's list of products.
public typealias ProductListViewModel = PagedListViewModel<CatalogProduct>

/// The view model of a paged list, in the async stage. See ``PagedListState``.
///
/// - Isolation: The executor of `isolation`. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor.
/// - Cancellation: A cancelled caller returns early. The last caller to leave cancels the load.
///   Releasing the view model ends the reader of the feed.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor PagedListViewModel<Item: Sendable & Identifiable>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let modelState: ModelState<PagedListState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "PagedListViewModel")
  private let service: any PageService<Item>
  private let slot = TaskSlot(.latest)
  private let feed: ItemFeed<Item>?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model, and loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageService<Item>, pageSize: Int = 50, isolation: (any Actor)? = nil) {
    self.init(service: service, feed: nil, pageSize: pageSize, isolation: isolation)
  }

  private init(
    service: any PageService<Item>, feed: ItemFeed<Item>?, pageSize: Int, isolation: (any Actor)?
  ) {
    modelState = ModelState(PagedListState(pageSize: pageSize), on: isolation)
    self.service = service
    self.feed = feed
  }

  /// Loads the first page. See ``PagedListState``.
  public func load() async { await perform(.load) }

  /// Loads the first page again. See ``PagedListState``.
  public func refresh() async { await perform(.reload) }

  /// Loads the next page. See ``PagedListState``.
  public func loadNextPage() async { await perform(.loadNextPage) }

  /// Repeats the latest failed load. See ``PagedListState``.
  public func retry() async { await perform(.retry) }

  /// Cancels the load. See ``PagedListState``.
  public func cancel() {
    guard state.pendingRequest != nil else { return }
    store.update { $0.cancel() }
    updates.end()
    slot.cancel()
  }

  private func perform(_ intent: PageIntent) async {
    guard let request = state.request(for: intent) else { return await slot.wait() }
    follow()
    store.update { $0.begin(request) }
    updates.begin()
    await slot.run(on: self) { [service] in
      try await service.page(request)
    } commit: { model, outcome in
      model.receive(outcome)
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
    reader = feed.follow(on: self) { model, update in
      model.receive(update)
    } completion: { model, outcome in
      model.store.update { $0.following.end(outcome) }
    }
  }

  private func receive(_ update: ItemUpdate<Item>) {
    updates.receive(update)
    if state.shows(update) { store.updateInPlace { $0.receive(update) } }
  }
}

extension PagedListViewModel where Item == CatalogProduct {
  /// Creates a view model of products that follows a feed, and loads nothing. See
  /// ``PagedListState/following``.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<Item>, feed: any ProductFeed, pageSize: Int = 50,
    isolation: (any Actor)? = nil
  ) {
    // The products of the list are not known before the first request.
    self.init(
      service: service, feed: ItemFeed(feed, of: nil), pageSize: pageSize, isolation: isolation)
  }
}
