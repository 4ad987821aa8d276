public import AsyncViewModels
public import StorefrontDomain

/// The storefront's list of products.
public typealias ProductListViewModel = ListViewModel<Product>

/// A list that is loaded page by page, in the async stage.
///
/// - Isolation: The host's. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: A cancelled caller returns at once, and the load is cancelled unless another caller waits for it. After
///   ``cancel()`` returns, the cancelled load publishes no more states.
/// - Hazards: None of the earlier stages: the compiler checks the isolation, and an intent returns when its load is over.
public actor ListViewModel<Item: Sendable & Identifiable>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let hosted: HostedState<ListState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "ListViewModel")
  private let service: any PageService<Item>
  private let slot = TaskSlot(.latest)

  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageService<Item>, pageSize: Int = 50, isolation: any Actor = Isolation()) {
    hosted = HostedState(ListState(pageSize: pageSize), on: isolation)
    self.service = service
  }

  /// Loads the first page, unless it is loaded. Joins a load that is in progress.
  public func load() async { await perform(.load) }

  /// Loads the first page again, and replaces a load in progress. The old content stays until the answer arrives. After a
  /// failure, the screen shows both.
  public func refresh() async { await perform(.refresh) }

  /// Appends the next page. Does nothing at the end and before the first page. Joins a load that is in progress.
  public func loadNextPage() async { await perform(.loadNextPage) }

  /// Requests again the page that failed last. Joins a load that is in progress.
  public func retry() async { await perform(.retry) }

  /// Cancels the load in progress and restores the state before it.
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
