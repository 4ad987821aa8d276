public import AsyncViewModels
public import StorefrontDomain

/// The storefront's list of products.
public typealias ProductListViewModel = ListViewModel<Product>

/// A list that is loaded page by page, in the async stage.
///
/// - Isolation: runs on its host; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order in which they reach the actor; the answer to a request that was superseded is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is published; the request is cancelled when the view model goes away.
/// - Hazards: none of the stages before: any number of observers, and an intent can be awaited.
///
/// Each intent returns a task that ends when a load is over: the one that the intent began, or the one to which it gave way.
public actor ListViewModel<Item: Sendable & Identifiable> where Item.ID: Sendable {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "ListViewModel")
  private nonisolated let host: ActorHost
  private let service: any PageService<Item>
  private nonisolated let store: ObservableState<ListState<Item>>
  private let slot = TaskSlot(.latest)
  private var running: Task<Void, Never>?

  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageService<Item>, pageSize: Int = 50, isolation: any Actor = Isolation()) {
    host = ActorHost(isolation)
    self.service = service
    store = ObservableState(ListState(pageSize: pageSize))
  }

  public nonisolated var state: ListState<Item> { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<ListState<Item>> { store.stream() }

  /// Loads the first page. Where it is there, or on its way, nothing more is requested.
  @discardableResult
  public func load() -> Task<Void, Never> { perform(.load) }

  /// Begins again with the first page, in place of whatever is on its way. The old content stays until the answer is there, and
  /// where that is a failure, next to it.
  @discardableResult
  public func refresh() -> Task<Void, Never> { perform(.refresh) }

  /// Appends the next page. Does nothing at the end, before the first page, and while anything is on its way.
  @discardableResult
  public func loadNextPage() -> Task<Void, Never> { perform(.loadNextPage) }

  /// Requests again what failed last: the first page or a later one. Does nothing while anything is on its way.
  @discardableResult
  public func retry() -> Task<Void, Never> { perform(.retry) }

  /// Calls off what is on its way, and goes back to what was there before.
  public func cancel() {
    guard store.value.underWay != nil else { return }
    slot.cancel()
    running = nil
    store.update { $0.cancel() }
  }

  private func perform(_ intent: ListIntent) -> Task<Void, Never> {
    guard let request = store.value.request(for: intent) else { return running ?? Task {} }
    store.update { $0.begin(request) }
    let run = slot.run(on: self) { [service] in
      try await service.page(request)
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome) }
    }
    running = run
    return run
  }
}
