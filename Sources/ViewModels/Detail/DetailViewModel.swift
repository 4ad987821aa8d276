public import AsyncViewModels
public import StorefrontDomain

/// The storefront's screen of one product.
public typealias ProductDetailViewModel = DetailViewModel<Product>

/// The screen of one item, in the async stage. It is made from primitives, so that a route or a link can ask for it.
///
/// - Isolation: runs on its host; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order in which they reach the actor; the answer to a request that was called off is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is published; the request is cancelled when the view model goes away.
/// - Hazards: none of the stages before: any number of observers, and a load can be awaited.
public actor DetailViewModel<Item: Sendable & Identifiable> where Item.ID: Sendable {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "DetailViewModel")
  private nonisolated let host: ActorHost
  private let service: any DetailService<Item>
  private nonisolated let store: ObservableState<DetailState<Item>>
  private let loading = TaskSlot(.latest)
  private var running: Task<Void, Never>?

  public init(
    itemID: Item.ID, source: DetailSource, service: any DetailService<Item>,
    isolation: any Actor = Isolation()
  ) {
    host = ActorHost(isolation)
    self.service = service
    store = ObservableState(DetailState(itemID: itemID, source: source))
  }

  public nonisolated var state: DetailState<Item> { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<DetailState<Item>> { store.stream() }

  /// Loads the item once, however many ask: where it is there, or on its way, nothing more is requested. After a failure it tries
  /// again. An item that does not exist is a ``/StorefrontDomain/ServiceError/notFound(_:)`` in the state, which names it.
  ///
  /// - Returns: a task that ends when the load is over: the one that this began, or the one that it joins.
  @discardableResult
  public func loadIfNeeded() -> Task<Void, Never> {
    let state = store.value
    guard state.needsLoading else { return running ?? Task {} }
    store.update { $0.beginLoading() }
    let run = loading.run(on: self) { [service] in
      try await service.detail(of: state.itemID)
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome) }
    }
    running = run
    return run
  }

  /// Calls off what is on its way, and goes back to what was there before.
  public func cancel() {
    guard store.value.content.isLoading else { return }
    loading.cancel()
    running = nil
    store.update { $0.cancel() }
  }
}
