public import AsyncViewModels
public import StorefrontDomain

/// The cart, in the async stage.
///
/// - Isolation: None. Every intent takes effect before it first suspends, on the caller's thread. Use `state` and `states()` from
///   any thread.
/// - Ordering: The service receives the changes of one product one after another, and those of different products at the same
///   time. It may answer in any order.
/// - Cancellation: A change is never cancelled. A cancelled caller still waits for the service's answer, and the change finishes
///   even if the view model is released.
/// - Hazards: None of the earlier stages: any number of observers, and no call waits for a queue.
public actor CartViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartViewModel")
  private let service: (any CartService)?

  /// - Parameter service: Confirms or refuses each change. Without a service, the cart exists only on this device.
  public init(cart: Cart = Cart(), service: (any CartService)? = nil, isolation: any Actor = Isolation()) {
    hosted = HostedState(CartState(cart: cart, hasService: service != nil), on: isolation)
    self.service = service
  }

  /// Adds pieces of a product. The cart shows them at once; the call returns when the service has confirmed them.
  ///
  /// - Throws: A ``/StorefrontDomain/CartError`` if a rule or the service refuses the change, or an earlier change on which it is
  ///   based. Otherwise the reason that the service did not answer. The change is then taken back.
  public nonisolated func add(_ product: Product, quantity: Int = 1) async throws {
    try await perform(.add(product, quantity: quantity))
  }

  /// Sets the quantity of an item. A quantity of 0 removes the item. Throws as ``add(_:quantity:)`` does.
  public nonisolated func setQuantity(_ quantity: Int, of id: Product.ID) async throws {
    try await perform(.setQuantity(quantity, of: id))
  }

  /// Removes an item. Throws as ``add(_:quantity:)`` does.
  public nonisolated func remove(_ id: Product.ID) async throws {
    try await perform(.remove(id))
  }

  private nonisolated func perform(_ intent: CartIntent) async throws {
    let change = try store.update { state throws(CartError) in try state.begin(intent) }
    guard let change, let service else { return }
    try await runToCompletion { [store] in
      do {
        try await service.apply(store.first { $0.turn(of: change)?.result }.get())
        store.update { _ = $0.confirm(change) }
      } catch {
        store.update { _ = $0.rollBack(change) }
        throw error
      }
    }
  }
}
