import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontViewModels

/// A cart of the closure stage that has not been migrated: the toolkit's bridge turns its one observer into a stream.
struct BridgedCart: Sendable {
  let callbacks = DispatchQueue(label: "callbacks")
  let cart: CartClosureViewModel

  init(cart: Cart = Cart()) {
    self.cart = CartClosureViewModel(restoring: SavedCart(cart), callbackQueue: callbacks)
  }

  func states() -> AsyncStream<CartState> { AsyncStream(buffering: .latest) { cart.bind($0) } }

  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await withCheckedThrowingContinuation { continuation in
      cart.setQuantity(quantity, of: id) { continuation.resume(with: $0) }
    }
  }
}
