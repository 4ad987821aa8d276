/// A shopping cart: one item for each product, in the order in which the products were first added.
///
/// Each mutation is applied completely, or throws and leaves the cart unchanged.
/// ``add(_:quantity:)``, ``setQuantity(_:of:)`` and ``remove(_:)`` return the ``CartChange`` to
/// send to a service. Copies share their storage until one of them changes.
public struct Cart: Sendable {
  /// The items, in the order in which they were first added.
  public internal(set) var items: [CartItem] = []

  /// The total number of units of all products.
  public internal(set) var itemCount = 0

  var positions: [CatalogProduct.ID: Int] = [:]

  private let emptyCurrency: Currency

  /// Creates an empty cart.
  ///
  /// - Parameter currency: The currency while the cart is empty. The first item may have another
  ///   one.
  public init(currency: Currency = .usd) {
    emptyCurrency = currency
  }

  /// Whether the cart has no items.
  public var isEmpty: Bool { items.isEmpty }

  /// The currency of the first item, or that of the initializer if the cart is empty.
  public var currency: Currency { items.first?.product.price.currency ?? emptyCurrency }

  /// The item of a product, if the cart contains the product.
  public func item(of id: CatalogProduct.ID) -> CartItem? {
    positions[id].map { items[$0] }
  }

  /// The number of units of a product in the cart, or 0.
  public func quantity(of id: CatalogProduct.ID) -> Int {
    positions[id].map { items[$0].quantity } ?? 0
  }

  /// The total price of all items, in ``currency``.
  ///
  /// - Throws: ``MoneyError/overflow``. ``MoneyError/mixedCurrencies(_:_:)`` if the items have
  ///   different currencies, as after a service has refused to remove the older items.
  /// - Complexity: O(items).
  public func total() throws(MoneyError) -> Money {
    var total = Money.zero(in: currency)
    for item in items { total = try total + item.total() }
    return total
  }
}

extension Cart: Equatable {
  /// Whether both carts contain the same items in the same order and have the same currency.
  public static func == (left: Cart, right: Cart) -> Bool {
    left.itemCount == right.itemCount && left.items == right.items && left.currency == right.currency
  }
}

// MARK: - Mutations

extension Cart {
  /// Adds units of a product. The item stores `product`, whose price and stock are more recent.
  ///
  /// - Throws: ``CartError/invalidQuantity(_:)`` if `quantity` is less than 1 or the total number
  ///   of units overflows. ``CartError/insufficientStock(_:requested:available:)`` if the item
  ///   would exceed the stock. ``CartError/money(_:)`` if the existing items have another currency.
  /// - Complexity: O(1).
  @discardableResult
  public mutating func add(_ product: CatalogProduct, quantity: Int = 1) throws(CartError) -> CartChange {
    guard quantity >= 1 else { throw .invalidQuantity(quantity) }
    let position = positions[product.id]
    let present = position.map { items[$0].quantity } ?? 0
    let (requested, overflow) = present.addingReportingOverflow(quantity)
    guard !overflow, requested <= product.stock else {
      throw .insufficientStock(
        product.id, requested: overflow ? .max : requested, available: product.stock)
    }
    try requireCurrency(of: product)
    guard let count = count(adding: quantity) else { throw .invalidQuantity(quantity) }
    itemCount = count
    place(product, requested, at: position)
    return CartChange(product: product, delta: quantity)
  }

  /// Sets the quantity of an item. A quantity of 0 removes the item.
  ///
  /// - Throws: ``CartError/unknownProduct(_:)``. ``CartError/invalidQuantity(_:)`` if `quantity` is
  ///   negative or the total number of units overflows.
  ///   ``CartError/insufficientStock(_:requested:available:)`` if `quantity` exceeds the stock and
  ///   the current quantity.
  /// - Complexity: O(1), or O(items) for a removal.
  @discardableResult
  public mutating func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) throws(CartError) -> CartChange
  {
    guard quantity >= 0 else { throw .invalidQuantity(quantity) }
    guard let position = positions[id] else { throw .unknownProduct(id) }
    guard quantity > 0 else { return try remove(id) }
    let (present, stock) = (items[position].quantity, items[position].product.stock)
    guard quantity <= max(stock, present) else {
      throw .insufficientStock(id, requested: quantity, available: stock)
    }
    guard let count = count(adding: quantity - present) else { throw .invalidQuantity(quantity) }
    itemCount = count
    items[position].quantity = quantity
    return CartChange(product: items[position].product, delta: quantity - present)
  }

  /// Removes an item with all its units.
  ///
  /// - Throws: ``CartError/unknownProduct(_:)``.
  /// - Complexity: O(items).
  @discardableResult
  public mutating func remove(_ id: CatalogProduct.ID) throws(CartError) -> CartChange {
    guard let position = positions[id] else { throw .unknownProduct(id) }
    let item = items[position]
    itemCount -= item.quantity
    removeItem(at: position)
    return CartChange(product: item.product, delta: -item.quantity)
  }

  /// Applies a change that was made to another cart. A delta of 0 has no effect.
  ///
  /// - Throws: For an addition, the errors of ``add(_:quantity:)``. For a removal,
  ///   ``CartError/unknownProduct(_:)``, or ``CartError/invalidQuantity(_:)`` if the cart contains
  ///   fewer units.
  /// - Complexity: O(1), or O(items) if the change removes the item.
  public mutating func apply(_ change: CartChange) throws(CartError) {
    guard change.delta != 0 else { return }
    guard change.delta < 0 else {
      try add(change.product, quantity: change.delta)
      return
    }
    guard let present = item(of: change.product.id)?.quantity else {
      throw .unknownProduct(change.product.id)
    }
    // Compares with the negated `present`, because `Int.min` cannot be negated.
    guard change.delta >= -present else { throw .invalidQuantity(change.delta) }
    try setQuantity(present + change.delta, of: change.product.id)
  }

  /// Applies as much of a change as the stock and the current quantity allow.
  ///
  /// Does not check the currency, because the service may already have accepted the change. For
  /// example, it accepts an addition in EUR, but refuses the removal of the USD items before it.
  ///
  /// - Complexity: O(1), or O(items) if the change removes the item.
  package mutating func reapply(_ change: CartChange) {
    let position = positions[change.product.id]
    let present = position.map { items[$0].quantity } ?? 0
    let room = min(max(change.product.stock - present, 0), .max - itemCount)
    let delta = min(max(change.delta, -present), room)
    itemCount += delta
    if delta > 0 {
      place(change.product, present + delta, at: position)
    } else if delta < 0, let position {
      if present + delta > 0 { items[position].quantity += delta } else { removeItem(at: position) }
    }
  }

  /// Shows a new price or stock of a product. The quantity stays, even if it exceeds the new stock.
  ///
  /// Ignores a price in another currency, because the shopper chose the product for its price.
  package mutating func apply(_ update: ProductUpdate) {
    guard let position = positions[update.product] else { return }
    let product = items[position].product
    let price = update.price.flatMap { $0.currency == product.price.currency ? $0 : nil }
    items[position].product = CatalogProduct(
      id: product.id, name: product.name, price: price ?? product.price, stock: update.stock ?? product.stock)
  }

  /// Creates a cart with these items, without a check of the stock and the currency.
  ///
  /// - Precondition: No product appears twice, and the total number of units does not overflow.
  package init(currency: Currency, items: [CartItem]) {
    self.init(currency: currency)
    for item in items {
      precondition(positions[item.id] == nil, "product \(item.id) appears twice")
      precondition(append(item), "the total number of units overflows")
    }
  }

  /// Appends an item of another product without a check of the stock and the currency. Returns
  /// `false` and changes nothing if the total number of units would overflow.
  mutating func append(_ item: CartItem) -> Bool {
    guard let count = count(adding: item.quantity) else { return false }
    itemCount = count
    place(item.product, item.quantity, at: nil)
    return true
  }

  private mutating func place(_ product: CatalogProduct, _ quantity: Int, at position: Int?) {
    if let position {
      items[position].product = product
      items[position].quantity = quantity
    } else {
      positions[product.id] = items.count
      items.append(CartItem(product: product, quantity: quantity))
    }
  }

  private mutating func removeItem(at position: Int) {
    positions[items[position].id] = nil
    items.remove(at: position)
    for later in position..<items.count { positions[items[later].id] = later }
  }

  private func requireCurrency(of product: CatalogProduct) throws(CartError) {
    guard isEmpty || product.price.currency == currency else {
      throw .money(.mixedCurrencies(currency, product.price.currency))
    }
  }

  /// Returns the total number of units after a change, unless it overflows.
  private func count(adding delta: Int) -> Int? {
    let (count, overflow) = itemCount.addingReportingOverflow(delta)
    return overflow ? nil : count
  }
}

/// One line of a cart: a product and its quantity.
public struct CartItem: Sendable, Hashable, Identifiable {
  /// The product as it was last added, with newer prices and stock from a ``ProductFeed``.
  public internal(set) var product: CatalogProduct
  /// The number of units, at least 1.
  public internal(set) var quantity: Int

  /// Creates an item.
  ///
  /// - Precondition: `quantity` is at least 1. Decoding a smaller quantity throws an error.
  public init(product: CatalogProduct, quantity: Int) {
    precondition(quantity >= 1, "product \(product.id): the quantity must be at least 1, not \(quantity)")
    self.product = product
    self.quantity = quantity
  }

  /// The id of the product.
  public var id: CatalogProduct.ID { product.id }

  /// The number of units that exceed the stock, which can fall after the units were added.
  public var missingUnits: Int { max(0, quantity - product.stock) }

  /// The price of all units.
  ///
  /// - Throws: ``MoneyError/overflow``.
  public func total() throws(MoneyError) -> Money {
    try product.price * quantity
  }
}

extension CartItem: Codable {
  private enum CodingKeys: CodingKey {
    case product, quantity
  }

  /// Decodes an item.
  ///
  /// - Throws: `DecodingError`, also if the quantity is less than 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let quantity = try container.decode(Int.self, forKey: .quantity)
    guard quantity >= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .quantity, in: container, debugDescription: "\(CartError.invalidQuantity(quantity))")
    }
    self.init(product: try container.decode(CatalogProduct.self, forKey: .product), quantity: quantity)
  }
}

/// A change of one product's quantity. A cart returns it, and a ``CartService`` applies it.
public struct CartChange: Sendable, Hashable, Codable {
  /// The product whose quantity changes.
  public let product: CatalogProduct
  /// The number of added units. Negative if units are removed.
  public let delta: Int

  /// Creates a change.
  public init(product: CatalogProduct, delta: Int) {
    self.product = product
    self.delta = delta
  }
}
