public import AsyncViewModels
public import StorefrontDomain

/// The view model of the storefront's product screen.
public typealias ProductDetailViewModel = DetailViewModel<CatalogProduct>

/// The view model of a screen that shows one item, in the async stage: an actor with async methods.
///
/// A route to the screen consists of the item's ID and a ``DetailSource``.
///
/// - Isolation: The view model runs on the executor of its host, the actor that is passed as `isolation`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order in which they reach the actor. If a
///   new request replaces a running one, the answer to the old request is dropped, and the callers of both requests wait for the
///   new one.
/// - Cancellation: A cancelled caller returns without waiting for the service. If no other caller waits for the load, the load is
///   cancelled. After ``cancel()`` returns, the cancelled load publishes no more states. Releasing the view model ends the reader
///   of its feed.
/// - Hazards: None of the hazards of the closure and stream stages: the compiler checks the isolation, and an intent returns when
///   its load is over.
public actor DetailViewModel<Item: Sendable & Identifiable>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let hosted: HostedState<DetailState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "DetailViewModel")
  private let service: any DetailService<Item>
  private let slot = TaskSlot(.latest)
  private let feed: ItemFeed<Item>?
  private var following: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model. The initializer loads nothing.
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
    hosted = HostedState(DetailState(itemID: itemID, source: source), on: isolation)
    self.service = service
    self.feed = feed
  }

  /// Loads the item, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// If there is no such item, the load fails with ``/StorefrontDomain/ServiceError/notFound(_:)``, which names the item.
  public func load() async { await perform(.load) }

  /// Loads the item again, and replaces a load that is in progress. The old item stays until the answer arrives. After a failure,
  /// the state contains the old item and the error.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load in progress, if any, and restores the state from before the load.
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
    let answer = updates.end(with: outcome)
    store.update { $0.receive(answer) }
  }

  private func follow() {
    guard let feed, !state.isFollowing else { return }
    store.update { $0.beginFollowing() }
    following = feed.follow(on: self) { model, update in
      model.receive(update)
    } completion: { model, outcome in
      model.store.update { $0.endFollowing(outcome) }
    }
  }

  private func receive(_ update: ItemUpdate<Item>) {
    updates.receive(update)
    if state.shows(update) { store.update { $0.receive(update) } }
  }
}

extension DetailViewModel where Item == CatalogProduct {
  /// Creates a view model of a product that follows a feed. The initializer loads nothing.
  ///
  /// The screen follows from the first request on, until it is released or the feed ends. ``cancel()`` does not end that. An update
  /// that arrives while a request is in flight also changes the answer, so that the answer does not bring back an older price or
  /// stock. If the feed fails, the screen keeps its product, and ``DetailState/feedFailure`` is the error.
  public init(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailService<Item>,
    feed: any ProductFeed, isolation: (any Actor)? = nil
  ) {
    self.init(
      itemID: itemID, source: source, service: service, feed: ItemFeed(feed, of: [itemID]),
      isolation: isolation)
  }
}
