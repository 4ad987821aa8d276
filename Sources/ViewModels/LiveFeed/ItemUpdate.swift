package import StorefrontDomain

/// A product's change, as the feed reports it, and the rule that applies it to an item of any type.
package struct ItemUpdate<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  package let id: Item.ID
  private let change: ProductUpdate
  private let apply: @Sendable (Item, ProductUpdate) -> Item

  /// The state after this update and a newer update of the same item.
  package func merging(_ newer: ItemUpdate) -> ItemUpdate {
    ItemUpdate(id: id, change: change.merging(newer.change), apply: apply)
  }

  /// The item, which must be the one of this update, after the update.
  package func applied(to item: Item) -> Item { apply(item, change) }
}

extension ItemUpdate<CatalogProduct> {
  /// Replaces the price and the stock, even if the new price is in another currency.
  package init(_ update: ProductUpdate) {
    self.init(id: update.product, change: update) { $0.applying($1) }
  }
}
