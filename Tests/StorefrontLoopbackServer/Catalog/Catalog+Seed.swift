import AsyncViewModelsTesting
import StorefrontDomain

extension Catalog {
  /// Creates a catalog of generated products with the ids 1 to `count`.
  ///
  /// All prices are in dollars, and all products are in stock.
  ///
  /// - Precondition: `count` is not negative.
  public static func seeded(_ seed: UInt64 = 1, count: Int = 5_000) -> Catalog {
    precondition(count >= 0, "Catalog.seeded: the count must not be negative, but is \(count)")
    var generator = SplitMix64(seed: seed)
    let products = (0..<count).map { index in
      CatalogProduct(
        id: CatalogProduct.ID(rawValue: index + 1),
        name: "\(generator.pick(qualities)) \(generator.pick(materials)) \(generator.pick(things))",
        price: Money(minorUnits: generator.next(in: 1_99...499_99), currency: .usd),
        stock: generator.next(in: 1...250))
    }
    return Catalog(products: products, seed: seed)
  }

  private static let qualities = [
    "Compact", "Folding", "Quiet", "Sturdy", "Light", "Bright", "Plain", "Round", "Tall", "Slim", "Warm",
    "Soft",
    "Double", "Portable", "Classic", "Striped",
  ]
  private static let materials = [
    "Oak", "Walnut", "Steel", "Brass", "Linen", "Wool", "Glass", "Cork", "Leather", "Bamboo", "Marble",
    "Cotton",
    "Copper", "Clay",
  ]
  private static let things = [
    "Lamp", "Desk", "Chair", "Shelf", "Kettle", "Bowl", "Blanket", "Clock", "Mirror", "Stool", "Vase",
    "Basket",
    "Teapot", "Bench", "Rug", "Tray", "Candle", "Coat Hook", "Notebook", "Backpack",
  ]

  static func recommendations(
    among products: [CatalogProduct], by generator: inout SplitMix64
  ) -> [CatalogProduct] {
    var chosen: [CatalogProduct] = []
    var left = products
    while chosen.count < 10, !left.isEmpty {
      let position = generator.next(in: 0...left.count - 1)
      chosen.append(left[position])
      left.swapAt(position, left.count - 1)
      left.removeLast()
    }
    return chosen
  }

  static func orders(of products: [CatalogProduct], by generator: inout SplitMix64) -> [Order] {
    (1...12).reversed().map { id in
      let price = generator.pick(products).price
      let quantity = generator.next(in: 1...4)
      // The prices in a catalog file may be so large that the total overflows.
      let total = try? price * quantity
      return Order(
        id: id, total: total ?? price, itemCount: total == nil ? 1 : quantity,
        status: generator.pick([.placed, .shipped, .delivered, .cancelled]))
    }
  }

  static func posts(by generator: inout SplitMix64) -> [Post] {
    (1...30).reversed().map { id in
      let (material, thing) = (generator.pick(materials), generator.pick(things))
      return Post(
        id: Post.ID(rawValue: id), title: "\(generator.pick(verbs)) a \(thing.lowercased())",
        body: "What to look for, why \(material.lowercased()) is not always the answer, and what it may cost."
      )
    }
  }

  private static let verbs = ["Choosing", "Mending", "Cleaning", "Giving", "Moving", "Painting"]
}

extension Profile {
  static func seeded(by generator: inout SplitMix64) -> Profile {
    let given = generator.pick(["Ada", "Blaise", "Chandra", "Dorothy", "Emil", "Fatima", "Grace", "Hedy"])
    let family = generator.pick(["Abbott", "Berg", "Costa", "Dumont", "Eriksen", "Fischer", "Garcia", "Hale"])
    return Profile(
      id: generator.next(in: 1...9_999), name: "\(given) \(family)",
      email: "\(given).\(family)@example.com".lowercased())
  }
}
