package import StorefrontDomain

extension CatalogProduct {
  package static let apple = CatalogProduct(
    id: 1, name: "Apple", price: Money(minorUnits: 100, currency: .usd), stock: 10)
  package static let pear = CatalogProduct(
    id: 2, name: "Pear", price: Money(minorUnits: 250, currency: .usd), stock: 10)
  package static let nail = CatalogProduct(
    id: 3, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 1_000_000)

  /// A product with this number and name.
  package init(_ number: Int, _ name: String = "Lamp") {
    self.init(
      id: ID(rawValue: number), name: name, price: Money(minorUnits: 100, currency: .usd), stock: 1)
  }
}
