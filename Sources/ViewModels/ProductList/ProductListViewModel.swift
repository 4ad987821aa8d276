public import AsyncViewModels
public import StorefrontDomain

/// The view model of the product list, in the async stage. See ``ProductListState``.
///
/// - Isolation: The executor of `isolation`. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor.
/// - Cancellation: A cancelled caller returns early. The last caller to leave cancels the load.
///   Releasing the view model ends the reader of the feed.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor ProductListViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<ProductListState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductListViewModel")
  private let service: any PageService<CatalogProduct>
  private let slot = TaskSlot(.latest)
  private let feed: (any ProductFeed)?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight()

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameter feed: Reports prices and stocks. See ``ProductListState/following``.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageService<CatalogProduct>, feed: (any ProductFeed)? = nil, pageSize: Int = 50,
    isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(ProductListState(pageSize: pageSize), on: isolation)
    self.service = service
    self.feed = feed
  }

  /// Loads the first page. See ``ProductListState``.
  public func load() async { await perform(.load) }

  /// Loads the first page again. See ``ProductListState``.
  public func refresh() async { await perform(.reload) }

  /// Loads the next page. See ``ProductListState``.
  public func loadNextPage() async { await perform(.loadNextPage) }

  /// Repeats the latest failed load. See ``ProductListState``.
  public func retry() async { await perform(.retry) }

  /// Cancels the load. See ``ProductListState``.
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

  private func receive(_ outcome: TaskOutcome<Page<CatalogProduct>>) {
    let response = updates.end(with: outcome)
    // A copy of the old state would copy the whole list.
    store.updateInPlace { $0.receive(response) }
  }

  private func follow() {
    guard let feed, !state.following.isActive else { return }
    store.update { $0.following.begin() }
    // The products of the list are not known before the first request.
    reader = feed.updates(of: nil).observe(on: self) { model, update in
      model.receive(update)
    } completion: { model, result in
      model.store.update { $0.following.end(TaskOutcome(result)) }
    }
  }

  private func receive(_ update: ProductUpdate) {
    updates.receive(update)
    if state.shows(update) { store.updateInPlace { $0.receive(update) } }
  }
}
