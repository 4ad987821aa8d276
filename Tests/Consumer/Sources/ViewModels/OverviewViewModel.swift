public import AsyncViewModels
public import Domain
public import Services

/// A view model of an app: an actor, with the toolkit's parts and the app's own names side by side.
public actor OverviewViewModel {
  public struct State: Equatable, Sendable {
    public var snapshot = Snapshot(products: [], orders: [])
    public var isLoading = false
    public var nextRefresh = 0
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private nonisolated let host: ActorHost
  private nonisolated let store = ObservableState(State())
  private nonisolated let channel = EventChannel<Screen>()
  private let slot = TaskSlot(.latest)
  private let shop: any Shop
  private let scheduler: any Scheduler

  public init(
    shop: any Shop, scheduler: any Scheduler = HourlyScheduler(), isolation: any Actor = Isolation()
  ) {
    host = ActorHost(isolation)
    self.shop = shop
    self.scheduler = scheduler
  }

  public nonisolated var state: State { store.value }
  public nonisolated func states() -> AsyncStream<State> { store.stream() }
  public nonisolated func screens() -> AsyncStream<Screen> { channel.stream() }

  /// Loads products and orders at the same time.
  public func load() -> Task<Void, Never> {
    store.update { $0.isLoading = true }
    return slot.run(on: self) { [shop] in
      async let orders = shop.orders()
      let pages = try await [0, 1, 2].concurrentMap { try await shop.products(page: $0) }
      return Snapshot(products: pages.flatMap(\.items), orders: try await orders)
    } commit: { model, outcome in
      model.store.update { state in
        state.isLoading = false
        if case .success(let snapshot) = outcome { state.snapshot = snapshot }
        state.nextRefresh = model.scheduler.nextRefresh(after: 0)
      }
    }
  }

  public func select(_ product: Product) { channel.keepForFirstObserver(.product(product.id)) }
}
