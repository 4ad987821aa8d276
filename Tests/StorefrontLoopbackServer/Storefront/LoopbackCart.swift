import StorefrontDomain
import StorefrontServices
import Synchronization

/// The cart of a server. Rejects unknown products, negative quantities, and additions above the stock.
final class LoopbackCart: Sendable {
  private let cart = Mutex(StockedCart())

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
    cart.withLock { $0.quantity(of: id) }
  }

  func empty() {
    cart.withLock { $0 = StockedCart() }
  }

  /// - Parameter product: Returns a product of the catalog with its current price and stock.
  func response(for catalog: Catalog, product: (CatalogProduct) -> CatalogProduct) -> HTTPResponse {
    let cart = cart.withLock { $0 }
    return .json(
      cart.cart(currency: catalog.products.first?.price.currency ?? .usd) { catalog.product($0).map(product) }
    )
  }

  /// - Parameter product: Returns a product of the catalog with its current price and stock.
  func apply(
    _ change: Change, in catalog: Catalog, product: (CatalogProduct) -> CatalogProduct
  ) -> HTTPResponse {
    guard let product = catalog.product(CatalogProduct.ID(rawValue: change.product)).map(product) else {
      return .error(404, "there is no product \(change.product)", parameter: "product")
    }
    return cart.withLock { cart in
      do throws(CartError) {
        let quantity = try cart.change(product, by: change.delta)
        return .json(Response(product: change.product, quantity: quantity))
      } catch {
        guard case .refused(_, let reason) = error else { return .error(409, "\(error)", parameter: "delta") }
        return .error(409, reason, parameter: "delta")
      }
    }
  }
}
