/// What a shopper is about to buy: items in the order in which they were first added, one for each product.
///
/// Every item has a quantity of at least 1, within the stock of its product as the cart last saw it, and all have
/// one currency. A value, with no isolation of its own; a copy shares its storage until either side changes.
public struct Cart: Sendable {
  /// The items, in the order in which they were first added.
  public internal(set) var items: [CartItem] = []

  /// How many pieces there are, of all products together.
  public internal(set) var itemCount = 0

  /// Where each product stands in ``items``.
  var positions: [Product.ID: Int] = [:]

  private let emptyCurrency: Currency

  /// An empty cart. Its total is stated in `currency`; the first item may have another, and then that one counts.
  public init(currency: Currency = .usd) {
    emptyCurrency = currency
  }

  public var isEmpty: Bool { items.isEmpty }

  /// The currency of the total, and of every item.
  public var currency: Currency { items.first?.product.price.currency ?? emptyCurrency }

  /// The item of a product, where the cart holds any.
  public func item(of id: Product.ID) -> CartItem? {
    positions[id].map { items[$0] }
  }

  /// How many of a product the cart holds; 0 where it holds none.
  public func quantity(of id: Product.ID) -> Int {
    positions[id].map { items[$0].quantity } ?? 0
  }

  /// What all of it costs. O(number of items).
  ///
  /// - Throws: ``MoneyError/overflow``.
  public func total() throws(MoneyError) -> Money {
    var total = Money.zero(in: currency)
    for item in items { total = try total + item.total() }
    return total
  }
}

extension Cart: Equatable {
  /// Whether both hold the same items in the same order, and state their totals in the same currency. O(n).
  public static func == (left: Cart, right: Cart) -> Bool {
    left.itemCount == right.itemCount && left.items == right.items && left.currency == right.currency
  }
}
