import StorefrontDomain
import Synchronization

/// The cart of a server. Rejects unknown products, and quantities that are negative or above the stock.
final class LoopbackCart: Sendable {
  private let quantities = Mutex<[CatalogProduct.ID: Int]>([:])

  /// The body of a request.
  struct Change {
    let product: Int
    let delta: Int
  }

  /// The body of a response: the new quantity of the product.
  struct Response: Encodable {
    let product: Int
    let quantity: Int
  }

  func quantity(of id: CatalogProduct.ID) -> Int {
    quantities.withLock { $0[id] ?? 0 }
  }

  func empty() {
    quantities.withLock { $0 = [:] }
  }

  func apply(_ change: Change, in catalog: Catalog) -> HTTPResponse {
    let id = CatalogProduct.ID(rawValue: change.product)
    guard let product = catalog.product(id) else {
      return .error(404, "there is no product \(change.product)", parameter: "product")
    }
    return quantities.withLock { quantities in
      let present = quantities[id] ?? 0
      let (quantity, overflow) = present.addingReportingOverflow(change.delta)
      guard !overflow, quantity <= product.stock else {
        return .error(
          409, "only \(product.stock) in stock, \(present) of them in the cart", parameter: "delta")
      }
      guard quantity >= 0 else {
        return .error(409, "only \(present) in the cart", parameter: "delta")
      }
      quantities[id] = quantity == 0 ? nil : quantity
      return .json(Response(product: change.product, quantity: quantity))
    }
  }
}
