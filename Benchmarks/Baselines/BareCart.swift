import StorefrontDomain
import StorefrontViewModels

/// The least that a cart costs that tasks share: the rules of the cart in an actor, without observers.
actor BareCart {
  private var state: CartState

  init(_ cart: Cart) { state = CartState(cart: cart, isConfirmed: false) }

  func add(_ product: Product) throws { _ = try state.begin(.add(product, quantity: 1)) }
}
