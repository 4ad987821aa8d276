/// Why a cart did not take on a change. The cart is as it was before.
public enum CartError: Error, Equatable, Sendable {
  /// The cart holds none of it, or the service sells no such product.
  case unknownProduct(Product.ID)
  /// The cart would hold more than there is.
  case insufficientStock(Product.ID, requested: Int, available: Int)
  /// No such number of pieces can be added, kept or counted.
  case invalidQuantity(Int)
  /// Prices do not add up.
  case money(MoneyError)
  /// The service would not have it.
  case refused(Product.ID, reason: String)
}

extension CartError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownProduct(let id): "unknown product \(id)"
    case .insufficientStock(let id, let requested, let available):
      "\(requested) of product \(id) were asked for, \(available) are in stock"
    case .invalidQuantity(let quantity): "invalid quantity: \(quantity)"
    case .money(let error): "\(error)"
    case .refused(let id, let reason): "product \(id) was refused: \(reason)"
    }
  }
}
