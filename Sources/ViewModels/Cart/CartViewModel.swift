public import AsyncViewModels
public import StorefrontDomain

/// The cart, in the async stage.
///
/// - Isolation: talks to its service on its host; the rest may be used from anywhere, and takes effect where it is called.
/// - Ordering: a change shows before its call first suspends; the service hears of the changes of one product one after the other,
///   of those of different products at once, and answers in any order.
/// - Cancellation: a change is never called off. A caller whose task is cancelled still waits for the service's answer.
/// - Hazards: none of the stages before: any number of observers, and the compiler guards the state.
public actor CartViewModel {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "CartViewModel")
  private nonisolated let host: ActorHost
  private nonisolated let service: (any CartService)?
  private nonisolated let store: ObservableState<CartState>
  private var waits: [PendingChange.ID: Wait] = [:]

  /// A change's wait for its turn. The turn may come before the call has reached the host.
  private enum Wait {
    case caller(CheckedContinuation<CartTurn, Never>)
    case turn(CartTurn)
  }

  /// - Parameter service: has the last word on each change. Without one the cart is only this device's.
  public init(cart: Cart = Cart(), service: (any CartService)? = nil, isolation: any Actor = Isolation()) {
    host = ActorHost(isolation)
    self.service = service
    store = ObservableState(CartState(cart: cart, isConfirmed: service != nil))
  }

  public nonisolated var state: CartState { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<CartState> { store.stream() }

  /// Adds so many of a product. It is shown at once; the call returns when the service has taken it on.
  ///
  /// - Throws: a ``/StorefrontDomain/CartError`` where a rule refuses it, or the service does, or refuses what it stands on; else what kept
  ///   the service from answering. The cart is then as if the call had never been.
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
    if let change { try await send(change) }
  }

  private func send(_ change: PendingChange) async throws {
    let change = change.isDue ? change : try await turn(of: change).result.get()
    let entry = LiveObjectToken(.task, "change of a cart")
    defer { entry.end() }
    // Nobody else holds this task, so nobody can cancel it.
    let result = await Task { _ = try await service?.apply(change.change) }.result
    receive(result, for: change)
    try result.get()
  }

  private func receive(_ result: Result<Void, any Error>, for change: PendingChange) {
    let turns =
      switch result {
      case .success: store.update { $0.confirm(change) }
      case .failure: store.update { $0.rollBack(change) }
      }
    for turn in turns { take(turn) }
  }

  private func take(_ turn: CartTurn) {
    if case .caller(let caller) = waits.removeValue(forKey: turn.id) {
      caller.resume(returning: turn)
    } else {
      waits[turn.id] = .turn(turn)
    }
  }

  private func turn(of change: PendingChange) async -> CartTurn {
    await withCheckedContinuation { caller in
      if case .turn(let turn) = waits.removeValue(forKey: change.id) {
        caller.resume(returning: turn)
      } else {
        waits[change.id] = .caller(caller)
      }
    }
  }
}
