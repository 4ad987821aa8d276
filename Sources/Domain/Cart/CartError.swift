public import Foundation

/// The reason that a cart or its service rejected a change. The cart is unchanged.
public enum CartError: Error, Equatable, Sendable {
  /// The cart does not hold the product, or the service does not sell it.
  case unknownProduct(Product.ID)
  /// The cart would hold more pieces than are in stock.
  case insufficientStock(Product.ID, requested: Int, available: Int)
  /// The number of pieces cannot be added, held or counted.
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
