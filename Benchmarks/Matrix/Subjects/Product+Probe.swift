import Domain

extension Product {
  /// A product that never runs out.
  static let probe = Product(
    id: Product.ID(rawValue: 1), name: "Lamp", price: Money(minorUnits: 1, currency: .usd), stock: .max)
}

extension Cart {
  /// One of ``Domain/Product/probe``.
  static func holdingOne() throws -> Cart {
    var cart = Cart(currency: .usd)
    _ = try cart.add(.probe, quantity: 1)
    return cart
  }
}

extension [Post] {
  static func numbered(_ numbers: ClosedRange<Int>) -> [Post] {
    numbers.map { Post(id: Post.ID(rawValue: $0), title: "Post \($0)", body: "") }
  }
}
