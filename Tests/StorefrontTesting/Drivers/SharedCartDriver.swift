import AsyncViewModels
package import AsyncViewModelsTesting
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// A cart of one stage that several screens share, in both forms.
package struct SharedCartDriver: Sendable {
  /// The view model, for leak checks.
  package let subject: any AnyObject & Sendable
  /// The cart for a page of the async stage.
  package let cart: any SharedCart
  /// The cart for a page of the other stages.
  package let closures: any SharedClosureCart
  /// Creates an observer that receives every state and skips none.
  package let everyState: @Sendable () -> AsyncStream<CartState>
  private let removal: @Sendable (CatalogProduct.ID) async throws -> Void

  package init(
    _ subject: any AnyObject & Sendable, cart: any SharedCart, closures: any SharedClosureCart,
    everyState: @escaping @Sendable () -> AsyncStream<CartState>,
    removal: @escaping @Sendable (CatalogProduct.ID) async throws -> Void
  ) {
    self.subject = subject
    self.cart = cart
    self.closures = closures
    self.everyState = everyState
    self.removal = removal
  }

  package var state: CartState { cart.state }

  /// Adds units as the cart's screen does.
  package func add(_ product: CatalogProduct, quantity: Int = 1) async throws {
    try await cart.add(product, quantity: quantity)
  }

  /// Removes an item as the cart's screen does.
  package func remove(_ id: CatalogProduct.ID) async throws { try await removal(id) }
}

extension MigrationStage {
  /// Creates a cart of this stage for several screens. Only the async stage uses `isolation`.
  package func makeSharedCart(
    service: (any CartService & CartClosureService)? = nil, clock: VirtualClock = VirtualClock(),
    isolation: (any Actor)? = nil
  ) -> SharedCartDriver {
    let queue = DispatchQueue(label: "cart callbacks")
    switch self {
    case .closure:
      let model = CartClosureViewModel(service: service, scheduler: clock, callbackQueue: queue)
      let relay = CartRelay(model)
      return SharedCartDriver(model, cart: relay.asAsync, closures: relay) {
        AsyncStream(buffering: .unbounded) { relay.observe(on: queue, $0) }
      } removal: { id in
        try await completion(of: { model.remove(id, completion: $0) })
      }
    case .stream:
      let model = CartStreamViewModel(service: service, scheduler: clock, callbackQueue: queue)
      return SharedCartDriver(model, cart: model.asAsync, closures: model) {
        model.states(.unbounded)
      } removal: { id in
        try await completion(of: { model.remove(id, completion: $0) })
      }
    case .async:
      let model = CartViewModel(service: service, clock: clock, isolation: isolation)
      return SharedCartDriver(model, cart: model, closures: model.asClosure) {
        model.states(.unbounded)
      } removal: {
        try await model.remove($0)
      }
    }
  }
}
