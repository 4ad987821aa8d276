import StorefrontDomain

extension Product {
  /// A product that never sells out.
  static let plenty = Product(
    id: Product.ID(rawValue: 1), name: "Lamp", price: Money(minorUnits: 1, currency: .usd), stock: .max)
}
