package import StorefrontDomain

/// The cart of a service: the quantity of each product, and the rules for its changes.
///
/// The cart stores only ids, and a change uses the current stock. If the stock has fallen below the
/// quantity in the cart, the quantity can still be reduced, as in a `Cart`.
package struct StockedCart: Sendable {
  private var quantities: [CatalogProduct.ID: Int] = [:]
  /// The ids in ``quantities``, in the order in which they were first added.
  private var order: [CatalogProduct.ID] = []
  private var unitCount = 0

  package init() {}

  package func quantity(of id: CatalogProduct.ID) -> Int { quantities[id] ?? 0 }

  /// Changes the quantity of a product, and returns the new one.
  ///
  /// - Throws: ``/StorefrontDomain/CartError/refused(_:reason:)`` if the quantity would be
  ///   negative, or above the stock and the present quantity, or if the number of all units would
  ///   overflow. The cart is then unchanged.
  /// - Complexity: O(1), or O(products) if the new quantity is 0.
  package mutating func change(_ product: CatalogProduct, by delta: Int) throws(CartError) -> Int {
    let present = quantity(of: product.id)
    let (quantity, overflow) = present.addingReportingOverflow(delta)
    guard !overflow, quantity <= max(product.stock, present) else {
      throw .refused(product.id, reason: "only \(product.stock) in stock, \(present) in the cart")
    }
    guard quantity >= 0 else { throw .refused(product.id, reason: "only \(present) in the cart") }
    let (unitCount, isTooMany) = unitCount.addingReportingOverflow(delta)
    guard !isTooMany else { throw .refused(product.id, reason: "the cart would have too many units") }
    self.unitCount = unitCount
    if quantity == 0 {
      order.removeAll { $0 == product.id }
      quantities[product.id] = nil
    } else if quantities.updateValue(quantity, forKey: product.id) == nil {
      order.append(product.id)
    }
    return quantity
  }

  /// The cart with the products that `product` returns. An unknown product is left out.
  package func cart(
    currency: Currency, product: (CatalogProduct.ID) -> CatalogProduct?
  ) -> Cart {
    Cart(
      currency: currency,
      items: order.compactMap { id in product(id).map { CartItem(product: $0, quantity: quantity(of: id)) } })
  }
}
