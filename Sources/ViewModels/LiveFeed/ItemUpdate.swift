package import StorefrontDomain

/// A change of one item, as a feed reports it.
///
/// The view models of a list and of a detail screen work with items of any type, but a feed reports changes of products. An item
/// update is the change of a product together with the rule that applies it to an item.
package struct ItemUpdate<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The item that has changed.
  package let id: Item.ID
  private let change: ProductUpdate
  private let apply: @Sendable (Item, ProductUpdate) -> Item

  /// The state after this update and a newer update of the same item.
  ///
  /// - Precondition: Both updates are of the same item.
  package func merging(_ newer: ItemUpdate) -> ItemUpdate {
    ItemUpdate(id: id, change: change.merging(newer.change), apply: apply)
  }

  /// The item after this update.
  ///
  /// - Precondition: The update is of this item.
  package func applied(to item: Item) -> Item { apply(item, change) }
}

extension ItemUpdate<CatalogProduct> {
  /// Creates the update of a product. It replaces the price and the stock, even if the new price is in another currency.
  package init(_ update: ProductUpdate) {
    self.init(id: update.product, change: update) { $0.applying($1) }
  }
}
