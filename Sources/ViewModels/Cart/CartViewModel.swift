public import Domain

/// The cart, in the async stage.
///
/// - Isolation: talks to its service on its host; the rest may be used from anywhere, and takes effect where it is called.
/// - Ordering: a change shows before its call first suspends; services hear of changes, and answer them, in any order.
/// - Cancellation: an intent whose task is cancelled before the service has answered is taken back.
/// - Hazards: none of the stages before: any number of observers, and the compiler guards the state.
public actor CartViewModel {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let census = CensusEntry(.viewModel, "CartViewModel")
  private nonisolated let host: any Actor
  private nonisolated let service: (any CartService)?
  private nonisolated let store: ObservableState<CartState>

  /// - Parameter service: has the last word on each change. Without one the cart is only this device's.
  public init(cart: Cart = Cart(), service: (any CartService)? = nil, isolation: any Actor = Isolation()) {
    host = isolation
    self.service = service
    store = ObservableState(CartState(cart: cart, isConfirmed: service != nil))
  }

  public nonisolated var state: CartState { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<CartState> { store.stream() }

  /// Adds so many of a product. It is shown at once; the call returns when the service has taken it on.
  ///
  /// - Throws: a ``Domain/CartError`` where a rule or the service refuses it, else what kept the service from answering. The
  ///   cart is then as if the call had never been.
  public nonisolated func add(_ product: Product, quantity: Int = 1) async throws {
    try await perform(.add(product, quantity: quantity))
  }

  /// Makes the quantity of an item exactly this; 0 removes it. Throws as ``add(_:quantity:)`` does.
  public nonisolated func setQuantity(_ quantity: Int, of id: Product.ID) async throws {
    try await perform(.setQuantity(quantity, of: id))
  }

  /// Takes an item out. Throws as ``add(_:quantity:)`` does.
  public nonisolated func remove(_ id: Product.ID) async throws {
    try await perform(.remove(id))
  }

  // A change of the state is one step, and the state has a lock of its own: no hop stands between a tap and what it shows.
  // Inlined, it takes no frame of its own: a sixth of what an add costs.
  @inline(__always)
  private nonisolated func perform(_ intent: CartIntent) async throws {
    let change = try store.update { state throws(CartError) in try state.begin(intent) }
    if let change, let service { try await settle(change, with: service) }
  }

  private func settle(_ change: PendingChange, with service: any CartService) async throws {
    do {
      try await service.apply(change.change)
      store.update { $0.confirm(change) }
    } catch {
      store.update { $0.rollBack(change) }
      throw error
    }
  }
}
