public import AsyncViewModels
public import StorefrontDomain

/// The storefront's screen of one product.
public typealias ProductDetailViewModel = DetailViewModel<Product>

/// The screen of one item, in the async stage. A route or a link contains all that identifies the screen: the ID of the item and
/// a ``DetailSource``.
///
/// - Isolation: The host's. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: A cancelled caller returns at once, and the load is cancelled unless another caller waits for it. After
///   ``cancel()`` returns, the cancelled load publishes no more states.
/// - Hazards: None of the earlier stages: the compiler checks the isolation, and an intent returns when its load is over.
public actor DetailViewModel<Item: Sendable & Identifiable>: ViewModelActor where Item.ID: Sendable {
  public nonisolated let hosted: HostedState<DetailState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "DetailViewModel")
  private let service: any DetailService<Item>
  private let slot = TaskSlot(.latest)

  /// Creates the screen of an item. It loads nothing until the first intent.
  public init(
    itemID: Item.ID, source: DetailSource, service: any DetailService<Item>,
    isolation: any Actor = Isolation()
  ) {
    hosted = HostedState(DetailState(itemID: itemID, source: source), on: isolation)
    self.service = service
  }

  /// Loads the item, unless it is loaded. Joins a load that is in progress.
  ///
  /// If the item does not exist, the load fails with ``/StorefrontDomain/ServiceError/notFound(_:)``, which names it.
  public func load() async { await perform(.load) }

  /// Loads the item again, and replaces a load in progress. The old item stays until the answer arrives. After a failure, the
  /// screen shows both.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load in progress and restores the state before it.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  private func perform(_ intent: LoadIntent) async {
    guard state.needsRequest(for: intent) else { return await slot.wait() }
    store.update { $0.begin() }
    await slot.run(on: self) { [service, id = state.itemID] in
      try await service.detail(of: id)
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome) }
    }
  }
}
