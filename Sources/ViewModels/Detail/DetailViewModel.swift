public import AsyncViewModels
public import StorefrontDomain

/// The view model of the storefront's product screen.
public typealias ProductDetailViewModel = DetailViewModel<CatalogProduct>

/// The view model of a screen that shows one item, in the async stage. See ``DetailState``.
///
/// - Isolation: The executor of `isolation`. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor.
/// - Cancellation: A cancelled caller returns early. The last caller to leave cancels the load.
///   Releasing the view model ends the reader of the feed.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor DetailViewModel<Item: Sendable & Identifiable>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let modelState: ModelState<DetailState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "DetailViewModel")
  private let service: any DetailService<Item>
  private let slot = TaskSlot(.latest)
  private let feed: ItemFeed<Item>?
  private var reader: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model, and loads nothing.
  public init(
    itemID: Item.ID, source: DetailSource, service: any DetailService<Item>,
    isolation: (any Actor)? = nil
  ) {
    self.init(itemID: itemID, source: source, service: service, feed: nil, isolation: isolation)
  }

  private init(
    itemID: Item.ID, source: DetailSource, service: any DetailService<Item>, feed: ItemFeed<Item>?,
    isolation: (any Actor)?
  ) {
    modelState = ModelState(DetailState(itemID: itemID, source: source), on: isolation)
    self.service = service
    self.feed = feed
  }

  /// Loads the item. See ``DetailState``.
  public func load() async { await perform(.load) }

  /// Loads the item again. See ``DetailState``.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load. See ``DetailState``.
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

  private func receive(_ outcome: TaskOutcome<Item>) {
    let response = updates.end(with: outcome)
    store.update { $0.receive(response) }
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
    if state.shows(update) { store.update { $0.receive(update) } }
  }
}

extension DetailViewModel where Item == CatalogProduct {
  /// Creates a view model of a product that follows a feed, and loads nothing. See
  /// ``DetailState/following``.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailService<Item>,
    feed: any ProductFeed, isolation: (any Actor)? = nil
  ) {
    self.init(
      itemID: itemID, source: source, service: service, feed: ItemFeed(feed, of: [itemID]),
      isolation: isolation)
  }
}
