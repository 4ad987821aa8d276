public import Domain

/// The cart, in the async stage.
///
/// - Isolation: runs on its host; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order in which they reach the actor; answers may come in any order.
/// - Cancellation: an intent whose task is cancelled before the service has answered is taken back.
/// - Hazards: none of the stages before: any number of observers, and the compiler guards the state.
public actor CartViewModel {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let census = CensusEntry(.viewModel, "CartViewModel")
  private nonisolated let host: any Actor
  private let service: (any CartService)?
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
  public func add(_ product: Product, quantity: Int = 1) async throws {
    try await perform(.add(product, quantity: quantity))
  }

  /// Makes the quantity of an item exactly this; 0 removes it. Throws as ``add(_:quantity:)`` does.
  public func setQuantity(_ quantity: Int, of id: Product.ID) async throws {
    try await perform(.setQuantity(quantity, of: id))
  }

  /// Takes an item out. Throws as ``add(_:quantity:)`` does.
  public func remove(_ id: Product.ID) async throws {
    try await perform(.remove(id))
  }

  // Inlined, it takes no frame of its own: a sixth of what an uncontended add costs.
  @inline(__always)
  private func perform(_ intent: CartIntent) async throws {
    let change = try store.update { state throws(CartError) in try state.begin(intent) }
    guard let service else { return }
    do {
      try await service.apply(change.change)
      store.update { $0.confirm(change) }
    } catch {
      store.update { $0.rollBack(change) }
      throw error
    }
  }
}
