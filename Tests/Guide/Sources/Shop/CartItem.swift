/// A product of the shop.
struct Product: Hashable, Identifiable, Sendable {
  let id: Int
  let name: String
  /// The price of one unit, in cents.
  let price: Int
}

/// A product in the cart, and the number of its units.
struct CartItem: Hashable, Identifiable, Sendable {
  let product: Product
  var quantity: Int

  var id: Product.ID { product.id }
  /// The price of all units, in cents.
  var price: Int { product.price * quantity }
}

extension Array where Element == CartItem {
  /// The cart with the quantities of `changes`. A quantity of 0 removes an item.
  func applying(_ changes: [CartItem]) -> [CartItem] {
    var items = self
    for change in changes {
      if let index = items.firstIndex(where: { $0.id == change.id }) {
        items[index] = change
      } else {
        items.append(change)
      }
    }
    return items.filter { $0.quantity > 0 }
  }
}
