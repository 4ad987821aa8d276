/// The unread updates of one reader: at most one for each product that the reader follows.
///
/// A newer update is merged into the unread one, which keeps its place. So a slow reader gets the
/// newest price and stock, and the memory does not grow with the number of updates.
package struct PendingProductUpdates: Sendable {
  /// The products that the reader follows, or `nil` for all.
  package let products: Set<CatalogProduct.ID>?
  private var updates: [CatalogProduct.ID: ProductUpdate] = [:]
  /// The products of the unread updates from `next` on, in the order of their first one.
  private var order: [CatalogProduct.ID] = []
  private var next = 0

  package init(of products: Set<CatalogProduct.ID>?) {
    self.products = products
  }

  /// The number of unread updates.
  package var count: Int { updates.count }

  /// Adds an update, if the reader follows its product. Returns whether it is the only one.
  ///
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

  /// Removes and returns the update of the product that has been waiting longest. Amortized O(1).
  package mutating func removeFirst() -> ProductUpdate? {
    guard next < order.count else { return nil }
    let update = updates.removeValue(forKey: order[next])
    next += 1
    // The read part never exceeds the unread part. A removal moves no more elements than it
    // removes.
    if next * 2 >= order.count {
      order.removeFirst(next)
      next = 0
    }
    return update
  }
}
