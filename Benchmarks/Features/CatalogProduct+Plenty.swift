import StorefrontDomain

extension CatalogProduct {
  /// A product that never sells out.
  static let plenty = CatalogProduct(
    id: CatalogProduct.ID(rawValue: 1), name: "Lamp", price: Money(minorUnits: 1, currency: .usd), stock: .max
  )
}

extension Cart {
  /// A cart with one `product`.
  init(holding product: CatalogProduct) throws {
    self.init(currency: product.price.currency)
    _ = try add(product, quantity: 1)
  }
}
