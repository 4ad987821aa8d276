/// The unread updates of one reader: at most one for each product that the reader follows.
///
/// A newer update of a product is merged into the unread one, which keeps its place. So a slow reader gets the newest
/// price and the newest stock of each product, and the memory does not grow with the number of updates.
package struct PendingProductUpdates: Sendable {
  /// The products that the reader follows, or `nil` if the reader follows all products.
  package let products: Set<CatalogProduct.ID>?
  private var updates: [CatalogProduct.ID: ProductUpdate] = [:]
  /// The products of the unread updates from `next` on, in the order of their first unread update.
  private var order: [CatalogProduct.ID] = []
  private var next = 0

  /// Creates an empty buffer.
  package init(of products: Set<CatalogProduct.ID>?) {
    self.products = products
  }

  /// The number of unread updates: the number of products that have changed since the reader has read their last update.
  package var count: Int { updates.count }

  /// Adds an update. Ignores the update of a product that the reader does not follow.
  ///
  /// - Returns: Whether the buffer was empty and now contains the update.
  /// - Complexity: O(1).
  package mutating func append(_ update: ProductUpdate) -> Bool {
    let id = update.product
    if let products, !products.contains(id) { return false }
    if let unread = updates[id] {
      updates[id] = unread.merging(update)
      return false
    }
    updates[id] = update
    order.append(id)
    return updates.count == 1
  }

  /// Removes and returns the update of the product that has been waiting longest.
  ///
  /// - Complexity: Amortized O(1).
  package mutating func removeFirst() -> ProductUpdate? {
    guard next < order.count else { return nil }
    let update = updates.removeValue(forKey: order[next])
    next += 1
    // The read part of the list never exceeds the unread part, and one removal moves no more elements than it removes.
    if next * 2 >= order.count {
      order.removeFirst(next)
      next = 0
    }
    return update
  }
}
