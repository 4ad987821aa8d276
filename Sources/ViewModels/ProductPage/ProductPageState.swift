public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// The state of a product's page, for all three stages: the product and its part of the cart.
///
/// The page has two child view models with their own rules: its detail (``ProductDetailState``) and
/// the cart that all screens share (``CartState``). It never shows an older state of a child after
/// a newer one.
///
/// | a change | shows |
/// | --- | --- |
/// | of the cart, here or on another screen | at once |
/// | of a load: its beginning and its end | at once |
/// | of the feed, such as a price | at most once in each update interval of 100 ms, and the latest always |
///
/// Faster prices could not be read, and 100 ms still feels immediate. What shows at once also shows
/// the latest of the feed.
///
/// `add` adds units to the cart, with the price that the page shows, and fails with
/// ``ProductPageError/notLoaded(_:)`` or an error of the cart.
public struct ProductPageState: Sendable {
  /// The product with its load, its refresh and its feed.
  public private(set) var detail: ProductDetailState
  private var cart: CartPart

  package init(detail: ProductDetailState, cart: CartState) {
    self.detail = detail
    self.cart = CartPart(of: detail.itemID, in: cart)
  }

  /// The product, or why there is none.
  public var product: ViewState<CatalogProduct> { detail.content }

  /// The number of units of all products in the cart, for a badge.
  public var cartItemCount: Int { cart.itemCount }

  /// The number of units of this product in the cart, including pending changes.
  public var quantityInCart: Int { cart.quantity }

  /// Whether a change of this product in the cart is pending, made here or on another screen.
  public var isChangePending: Bool { cart.isPending }

  /// Whether the product is loaded, and the cart does not contain its whole stock.
  public var canAdd: Bool { (product.value?.stock ?? 0) > quantityInCart }

  /// Whether the page looks different with these states of its children.
  package func needs(_ detail: ProductDetailState, _ cart: CartState) -> Bool {
    self.detail != detail || self.cart != CartPart(of: detail.itemID, in: cart)
  }

  /// Whether these states contain a change that shows at once.
  package func needsAtOnce(_ detail: ProductDetailState, _ cart: CartState) -> Bool {
    self.detail.isLoading != detail.isLoading || self.cart != CartPart(of: detail.itemID, in: cart)
  }

  package mutating func show(_ detail: ProductDetailState, _ cart: CartState) {
    self = ProductPageState(detail: detail, cart: cart)
  }

  /// Returns the product with the price that the page shows.
  package func productToAdd() throws(ProductPageError) -> CatalogProduct {
    guard let product = product.value else { throw .notLoaded(detail.itemID) }
    return product
  }
}

/// What the page shows of the cart.
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

/// The reason why a page cannot add its product to the cart.
public enum ProductPageError: Error, Hashable, Sendable {
  /// The product is not loaded.
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
