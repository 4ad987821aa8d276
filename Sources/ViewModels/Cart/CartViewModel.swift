public import AsyncViewModels
public import StorefrontDomain

/// The view model of the cart, in the async stage: an actor with async methods.
///
/// - Isolation: None. Intents, the methods that ask the view model to act, are nonisolated: they take effect on the caller's thread,
///   before they return or first suspend. Use `state` and `states()` from any thread.
/// - Ordering: The service receives the changes of one product one after another. Changes of different products are sent at the
///   same time, and the service may answer them in any order.
/// - Cancellation: A change is never cancelled. A cancelled caller still waits for the result, and a change finishes even if the
///   view model is released.
/// - Hazards: None of the hazards of the closure and stream stages: callers need no completion handlers, and no call waits for a
///   queue.
public actor CartViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartViewModel")
  private let service: (any CartService)?

  /// Creates the view model of a cart.
  ///
  /// - Parameter service: Confirms or refuses each change. Without a service, the cart exists only on this device.
  public init(cart: Cart = Cart(), service: (any CartService)? = nil, isolation: any Actor = Isolation()) {
    hosted = HostedState(CartState(cart: cart, hasService: service != nil), on: isolation)
    self.service = service
  }

  /// Adds units of a product. The cart shows them without waiting for the service. The call returns when the change has succeeded.
  /// Without a service, a change succeeds unless a rule of the cart refuses it.
  ///
  /// - Throws: A ``/StorefrontDomain/CartError`` if the service or a rule of the cart refuses the change. A rule can also refuse the
  ///   change later, after an earlier change has failed. Any other error is the error of the request. A failed change is rolled
  ///   back.
  public nonisolated func add(_ product: CatalogProduct, quantity: Int = 1) async throws {
    try await perform(.add(product, quantity: quantity))
  }

  /// Sets the quantity of an item. A quantity of 0 removes the item. Throws as ``add(_:quantity:)`` does.
  public nonisolated func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await perform(.setQuantity(quantity, of: id))
  }

  /// Removes an item. Throws as ``add(_:quantity:)`` does.
  public nonisolated func remove(_ id: CatalogProduct.ID) async throws {
    try await perform(.remove(id))
  }

  private nonisolated func perform(_ intent: CartIntent) async throws {
    let change = try store.update { state throws(CartError) in try state.begin(intent) }
    guard let change, let service else { return }
    try await runToCompletion { [store] in
      do {
        try await service.apply(store.firstNonNil { $0.turn(of: change)?.result }.get(), key: .init())
        store.update { _ = $0.confirm(change) }
      } catch {
        store.update { _ = $0.rollBack(change) }
        throw error
      }
    }
  }
}
