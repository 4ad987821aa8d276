import StorefrontDomain

extension CatalogProduct {
  /// A product that never sells out.
  static let plenty = CatalogProduct(
    id: CatalogProduct.ID(rawValue: 1), name: "Lamp", price: Money(minorUnits: 1, currency: .usd), stock: .max
  )
}
