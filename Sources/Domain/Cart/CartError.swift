public import Foundation

/// The reason why a change of a cart failed, or is not confirmed yet.
public enum CartError: Error, Equatable, Sendable {
  /// The cart does not contain the product, or the service does not sell it.
  case unknownProduct(CatalogProduct.ID)
  /// The cart would contain more units of the product than are in stock.
  case insufficientStock(CatalogProduct.ID, requested: Int, available: Int)
  /// The quantity is too small, the change removes more units than the cart contains, or the total
  /// number of units overflows.
  case invalidQuantity(Int)
  /// The prices cannot be added.
  case money(MoneyError)
  /// The service rejected the change.
  case refused(CatalogProduct.ID, reason: String)
  /// The service has neither confirmed nor refused the change, which is sent again later.
  case unanswered(CatalogProduct.ID, reason: String)
  /// The cart was closed. The service may have made a change that was being sent.
  case closed
}

extension CartError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownProduct(let id): "There is no product \(id)."
    case .insufficientStock(let id, let requested, let available):
      "The cart would need \(requested) of product \(id), but only \(available) are in stock."
    case .invalidQuantity(let quantity): "The quantity \(quantity) is invalid."
    case .money(let error): "\(error)"
    case .refused(let id, let reason): "Product \(id) was refused: \(reason)"
    case .unanswered(let id, let reason): "The change of product \(id) is not confirmed yet: \(reason)"
    case .closed: "The cart is closed."
    }
  }

  public var errorDescription: String? { description }
}
