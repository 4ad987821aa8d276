public import Foundation

/// The reason why a cart or its service rejected a change. If the cart rejected it, the cart is unchanged.
public enum CartError: Error, Equatable, Sendable {
  /// The cart does not contain the product, or the service does not sell it.
  case unknownProduct(Product.ID)
  /// The cart would contain more units of the product than are in stock.
  case insufficientStock(Product.ID, requested: Int, available: Int)
  /// The quantity is too small, exceeds the quantity in the cart, or is too large to be counted.
  case invalidQuantity(Int)
  /// The prices cannot be added.
  case money(MoneyError)
  /// The service rejected the change.
  case refused(Product.ID, reason: String)
}

extension CartError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownProduct(let id): "unknown product \(id)"
    case .insufficientStock(let id, let requested, let available):
      "\(requested) of product \(id) requested, but only \(available) in stock"
    case .invalidQuantity(let quantity): "invalid quantity: \(quantity)"
    case .money(let error): "\(error)"
    case .refused(let id, let reason): "product \(id) was refused: \(reason)"
    }
  }

  public var errorDescription: String? { description }
}
