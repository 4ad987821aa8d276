public import AsyncViewModels
public import Domain
public import Services

/// An actor view model that uses the toolkit together with app types that have common names, such as `Snapshot`.
public actor OverviewViewModel: ViewModelActor {
  public struct State: Equatable, Sendable {
    public var snapshot = Snapshot(products: [], orders: [])
    public var isLoading = false
    public var failure: String?
    public var nextRefresh = 0
  }

  public nonisolated let modelState: ModelState<State>
  private nonisolated let channel = EventChannel<Screen>()
  private let slot = TaskSlot(.latest)
  private let shop: any Shop
  private let scheduler: any Scheduler

  public init(
    shop: any Shop, scheduler: any Scheduler = HourlyScheduler(), isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(State(), on: isolation)
    self.shop = shop
    self.scheduler = scheduler
  }

  public nonisolated func screens() -> AsyncStream<Screen> { channel.stream() }

  /// Loads products and orders at the same time, and returns when they are shown.
  public func load() async {
    store.update { $0.isLoading = true }
    await slot.run(on: self) { [shop] in
      async let orders = shop.orders()
      let pages = try await [0, 1, 2].concurrentMap { try await shop.products(page: $0) }
      return Snapshot(products: pages.flatMap(\.items), orders: try await orders)
    } commit: { model, outcome in
      model.store.update { state in
        state.isLoading = false
        switch outcome {
        case .success(let snapshot): state.snapshot = snapshot
        case .failure(let error) where !error.isCancellation: state.failure = "\(error)"
        case .failure, .cancelled: break
        }
        state.nextRefresh = model.scheduler.nextRefresh(after: 0)
      }
    }
  }

  /// Calls the app's own `combineLatest` and `merge`.
  public nonisolated func history(of other: OverviewViewModel) -> [String] {
    [combineLatest(states(), other.states()), merge(screens(), other.screens())]
  }

  /// Loads the first pages with the app's own `concurrentMap`.
  public func preload() async throws -> [Page<Product>] {
    try await [0, 1].concurrentMap(withPriority: .low) { [shop] in try await shop.products(page: $0) }
  }

  public func select(_ product: Product) { channel.keepOnceForFirstObserver(.product(product.id)) }
}
