public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// The state of a product's page: the product, and what the shared cart has of it. The closure, stream and async view models share
/// this type, and none of them adds a rule.
///
/// The page has two child view models, and each of them has the rules of its part: the detail loads the product, and the cart makes the
/// changes. This state only selects what the page shows of them.
public struct ProductPageState: Sendable {
  /// The product with its load, its refresh and its feed.
  public private(set) var detail: DetailState<CatalogProduct>
  private var cart: CartPart

  package init(detail: DetailState<CatalogProduct>, cart: CartState) {
    self.detail = detail
    self.cart = CartPart(of: detail.itemID, in: cart)
  }

  /// The product, or the reason why there is none.
  public var product: ViewState<CatalogProduct> { detail.content }

  /// The number of units of all products in the cart, for a badge.
  public var cartItemCount: Int { cart.itemCount }

  /// The number of units of this product in the cart. Pending changes are included.
  public var quantityInCart: Int { cart.quantity }

  /// Whether the service has not answered a change of this product in the cart. Another screen may have made the change.
  public var isChangePending: Bool { cart.isPending }

  /// Whether one more unit can be added: the product is loaded, and the cart does not contain its whole stock.
  public var canAdd: Bool { (product.value?.stock ?? 0) > quantityInCart }

  /// Whether the page looks different with these states of its children.
  package func needs(_ detail: DetailState<CatalogProduct>, _ cart: CartState) -> Bool {
    self.detail != detail || self.cart != CartPart(of: detail.itemID, in: cart)
  }

  /// Shows the newest states of the children.
  package mutating func show(_ detail: DetailState<CatalogProduct>, _ cart: CartState) {
    self = ProductPageState(detail: detail, cart: cart)
  }

  /// Returns the product to add to the cart, with the price that the page shows.
  ///
  /// - Throws: ``ProductPageError/notLoaded(_:)`` if the page does not show the product.
  package func productToAdd() throws(ProductPageError) -> CatalogProduct {
    guard let product = product.value else { throw .notLoaded(detail.itemID) }
    return product
  }
}

/// What a product's page shows of the cart.
private struct CartPart: Hashable, Sendable {
  let itemCount: Int
  let quantity: Int
  let isPending: Bool

  init(of id: CatalogProduct.ID, in state: CartState) {
    itemCount = state.cart.itemCount
    quantity = state.cart.quantity(of: id)
    isPending = state.isPending(id)
  }
}

/// The reason why a product's page cannot add the product to the cart.
public enum ProductPageError: Error, Hashable, Sendable {
  /// The page has not loaded the product yet, or the load has failed.
  case notLoaded(CatalogProduct.ID)
}

extension ProductPageError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .notLoaded(let id): "Product \(id) is not loaded, so it cannot be added to the cart."
    }
  }

  public var errorDescription: String? { description }
}
