/// One step from a cart to the next, in the words of a service: so many more, or fewer, of a product.
public struct CartChange: Sendable, Hashable, Codable {
  public let product: Product
  /// How many are added; negative where they are taken out.
  public let delta: Int

  public init(product: Product, delta: Int) {
    self.product = product
    self.delta = delta
  }
}
