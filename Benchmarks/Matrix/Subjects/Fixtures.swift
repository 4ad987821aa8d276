import StorefrontDomain

extension Cart {
  /// A cart with one ``/StorefrontDomain/CatalogProduct/plenty``.
  static func holdingOne() throws -> Cart { try Cart(holding: .plenty) }
}

extension [Post] {
  static func numbered(_ numbers: ClosedRange<Int>) -> [Post] {
    numbers.map { Post(id: Post.ID(rawValue: $0), title: "Post \($0)", body: "") }
  }
}
