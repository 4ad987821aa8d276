public import AsyncViewModels
public import StorefrontDomain

/// The view model of a product's detail, in the async stage. See ``ProductDetailState``.
///
/// - Isolation: The executor of `isolation`. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor.
/// - Cancellation: A cancelled caller returns early. The last caller to leave cancels the load.
///   Releasing the view model ends the reader of the feed.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor ProductDetailViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<ProductDetailState>
  private let liveObject = LiveObjectToken(.viewModel, "ProductDetailViewModel")
  private let service: any DetailService<CatalogProduct>
  private let slot = TaskSlot(.latest)
  private let feed: (any ProductFeed)?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight()

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameter feed: Reports prices and stocks. See ``ProductDetailState/following``.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailService<CatalogProduct>,
    feed: (any ProductFeed)? = nil, isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(ProductDetailState(itemID: itemID, source: source), on: isolation)
    self.service = service
    self.feed = feed
  }

  /// Loads the product. See ``ProductDetailState``.
  public func load() async { await perform(.load) }

  /// Loads the product again. See ``ProductDetailState``.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load. See ``ProductDetailState``.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    updates.end()
    slot.cancel()
  }

  private func perform(_ intent: LoadIntent) async {
    guard state.needsRequest(for: intent) else { return await slot.wait() }
    follow()
    store.update { $0.begin() }
    updates.begin()
    await slot.run(on: self) { [service, id = state.itemID] in
      try await service.detail(of: id)
    } commit: { model, outcome in
      model.receive(outcome)
    }
  }

  private func receive(_ outcome: TaskOutcome<CatalogProduct>) {
    let response = updates.end(with: outcome)
    store.update { $0.receive(response) }
  }

  private func follow() {
    guard let feed, !state.following.isActive else { return }
    store.update { $0.following.begin() }
    reader = feed.updates(of: [state.itemID]).observe(on: self) { model, update in
      model.receive(update)
    } completion: { model, result in
      model.store.update { $0.following.end(TaskOutcome(result)) }
    }
  }

  private func receive(_ update: ProductUpdate) {
    updates.receive(update)
    if state.shows(update) { store.update { $0.receive(update) } }
  }
}
