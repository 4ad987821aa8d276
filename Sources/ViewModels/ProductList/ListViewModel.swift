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
///   cancelled. After ``cancel()`` returns, the cancelled load publishes no more states.
/// - Hazards: None of the hazards of the closure and stream stages: the compiler checks the isolation, and an intent returns when
///   its load is over.
public actor ListViewModel<Item: Sendable & Identifiable>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let hosted: HostedState<ListState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "ListViewModel")
  private let service: any PageService<Item>
  private let slot = TaskSlot(.latest)

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageService<Item>, pageSize: Int = 50, isolation: any Actor = Isolation()) {
    hosted = HostedState(ListState(pageSize: pageSize), on: isolation)
    self.service = service
  }

  /// Loads the first page, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  public func load() async { await perform(.load) }

  /// Loads the first page again, and replaces a load that is in progress. The old items stay until the answer arrives. After a
  /// failure, the state contains the old items and the error.
  public func refresh() async { await perform(.refresh) }

  /// Loads the next page and appends it. If a load is in progress, joins it instead of sending another request. If no load is in
  /// progress, does nothing at the end of the list and before the first page has arrived.
  public func loadNextPage() async { await perform(.loadNextPage) }

  /// Requests the page of the latest failed load again. If a load is in progress, joins it instead of sending another request. If
  /// no load is in progress and there is no failure, does nothing.
  public func retry() async { await perform(.retry) }

  /// Cancels the load in progress, if any, and restores the state from before the load.
  public func cancel() {
    guard state.pendingRequest != nil else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  private func perform(_ intent: ListIntent) async {
    guard let request = state.request(for: intent) else { return await slot.wait() }
    store.update { $0.begin(request) }
    await slot.run(on: self) { [service] in
      try await service.page(request)
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome) }
    }
  }
}
