package import StorefrontDomain

extension Product {
  package static let apple = Product(
    id: 1, name: "Apple", price: Money(minorUnits: 100, currency: .usd), stock: 10)
  package static let pear = Product(
    id: 2, name: "Pear", price: Money(minorUnits: 250, currency: .usd), stock: 10)
  package static let nail = Product(
    id: 3, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 1_000_000)
}
