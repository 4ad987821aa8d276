public import AsyncViewModels
public import StorefrontDomain

/// The view model of the storefront's list of products.
public typealias ProductListViewModel = ListViewModel<CatalogProduct>

/// The view model of a list that is loaded page by page, in the async stage: an actor with async methods.
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
public actor ListViewModel<Item: Sendable & Identifiable>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let hosted: HostedState<ListState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "ListViewModel")
  private let service: any PageService<Item>
  private let slot = TaskSlot(.latest)
  private let feed: ItemFeed<Item>?
  private var following: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageService<Item>, pageSize: Int = 50, isolation: (any Actor)? = nil) {
    self.init(service: service, feed: nil, pageSize: pageSize, isolation: isolation)
  }

  private init(
    service: any PageService<Item>, feed: ItemFeed<Item>?, pageSize: Int, isolation: (any Actor)?
  ) {
    hosted = HostedState(ListState(pageSize: pageSize), on: isolation)
    self.service = service
    self.feed = feed
  }

  /// Loads the first page, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  public func load() async { await perform(.load) }

  /// Loads the first page again, and replaces a load that is in progress. The old items stay until the answer arrives. After a
  /// failure, the state contains the old items and the error.
  public func refresh() async { await perform(.refresh) }

  /// Loads the next page and appends it. If a load is in progress, joins it instead of sending another request. If no load is in
  /// progress, does nothing at the end of the list, before the first page has arrived, and after the cursor of the next page has
  /// expired.
  public func loadNextPage() async { await perform(.loadNextPage) }

  /// Requests the page of the latest failed load again. If the cursor of the next page has expired, loads the first page again, in
  /// place of the list. If a load is in progress, joins it instead of sending another request. If no load is in progress and there
  /// is no failure, does nothing.
  public func retry() async { await perform(.retry) }

  /// Cancels the load in progress, if any, and restores the state from before the load.
  public func cancel() {
    guard state.pendingRequest != nil else { return }
    store.update { $0.cancel() }
    updates.end()
    slot.cancel()
  }

  private func perform(_ intent: ListIntent) async {
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
    let answer = updates.end(with: outcome)
    // A copy of the old state would copy the whole list.
    store.updateInPlace { $0.receive(answer) }
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
    if state.shows(update) { store.updateInPlace { $0.receive(update) } }
  }
}

extension ListViewModel where Item == CatalogProduct {
  /// Creates a view model of products that follows a feed. The initializer loads nothing.
  ///
  /// The list follows from the first request on, until it is released or the feed ends. ``cancel()`` does not end that. An update
  /// that arrives while a request is in flight also changes the answer, so that the answer does not bring back an older price or
  /// stock. If the feed fails, the list keeps its items, and ``ListState/feedFailure`` is the error.
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
