import AsyncViewModels
public import StorefrontDomain

/// What a shopper wants of the cart.
public enum CartIntent: Sendable {
  case add(Product, quantity: Int)
  case setQuantity(Int, of: Product.ID)
  case remove(Product.ID)
}

extension Cart {
  mutating func perform(_ intent: CartIntent) throws(CartError) -> CartChange {
    switch intent {
    case .add(let product, let quantity): try add(product, quantity: quantity)
    case .setQuantity(let quantity, let id): try setQuantity(quantity, of: id)
    case .remove(let id): try remove(id)
    }
  }
}
