import AsyncViewModels

/// The transitions: each one happens as a whole, or throws and leaves the cart as it was. Each returns itself as the
/// ``CartChange`` that a service is told.
extension Cart {
  /// Adds so many of a product, as a new last item or to the one that is there. O(1).
  ///
  /// The item takes on `product` as it was given: its price and its stock are newer than what the cart has seen.
  ///
  /// - Throws: ``CartError/invalidQuantity(_:)`` for less than 1, or more than can be counted;
  ///   ``CartError/insufficientStock(_:requested:available:)``; ``CartError/money(_:)`` for another currency than
  ///   that of the items which are there.
  @discardableResult
  public mutating func add(_ product: Product, quantity: Int = 1) throws(CartError) -> CartChange {
    guard quantity >= 1 else { throw .invalidQuantity(quantity) }
    let position = positions[product.id]
    let present = position.map { items[$0].quantity } ?? 0
    let (requested, overflow) = present.addingReportingOverflow(quantity)
    guard !overflow, requested <= product.stock else {
      throw .insufficientStock(
        product.id, requested: overflow ? .max : requested, available: product.stock)
    }
    try requireCurrency(of: product)
    itemCount = try countAdding(quantity)

    if let position {
      items[position].product = product
      items[position].quantity = requested
    } else {
      positions[product.id] = items.count
      items.append(CartItem(product: product, quantity: requested))
    }
    return CartChange(product: product, delta: quantity)
  }

  /// Makes the quantity of an item exactly this; 0 removes it. O(1), or O(number of items) where it is removed.
  ///
  /// - Throws: ``CartError/unknownProduct(_:)`` where the cart holds none; ``CartError/invalidQuantity(_:)`` for
  ///   less than 0, or more than can be counted; ``CartError/insufficientStock(_:requested:available:)``.
  @discardableResult
  public mutating func setQuantity(_ quantity: Int, of id: Product.ID) throws(CartError) -> CartChange {
    guard quantity >= 0 else { throw .invalidQuantity(quantity) }
    guard let position = positions[id] else { throw .unknownProduct(id) }
    guard quantity > 0 else { return try remove(id) }
    let (present, stock) = (items[position].quantity, items[position].product.stock)
    guard quantity <= stock else {
      throw .insufficientStock(id, requested: quantity, available: stock)
    }
    itemCount = try countAdding(quantity - present)
    items[position].quantity = quantity
    return CartChange(product: items[position].product, delta: quantity - present)
  }

  /// Takes an item out, however many there are of it. O(number of items).
  ///
  /// - Throws: ``CartError/unknownProduct(_:)`` where the cart holds none.
  @discardableResult
  public mutating func remove(_ id: Product.ID) throws(CartError) -> CartChange {
    guard let position = positions.removeValue(forKey: id) else { throw .unknownProduct(id) }
    let item = items.remove(at: position)
    itemCount -= item.quantity
    for later in position..<items.count { positions[items[later].id] = later }
    return CartChange(product: item.product, delta: -item.quantity)
  }

  /// Takes on a change that another cart went through. The cost of the intent that it stands for.
  ///
  /// - Throws: what ``add(_:quantity:)`` throws where the change adds; where it takes out,
  ///   ``CartError/unknownProduct(_:)``, or ``CartError/invalidQuantity(_:)`` for more than there are. A change of
  ///   nothing, which is what setting the quantity that is there comes to, does nothing.
  public mutating func apply(_ change: CartChange) throws(CartError) {
    guard change.delta != 0 else { return }
    guard change.delta < 0 else {
      try add(change.product, quantity: change.delta)
      return
    }
    guard let present = item(of: change.product.id)?.quantity else {
      throw .unknownProduct(change.product.id)
    }
    // Compared this way round because the magnitude of `Int.min` is no `Int`.
    guard change.delta >= -present else { throw .invalidQuantity(change.delta) }
    try setQuantity(present + change.delta, of: change.product.id)
  }

  private func requireCurrency(of product: Product) throws(CartError) {
    guard isEmpty || product.price.currency == currency else {
      throw .money(.mixedCurrencies(currency, product.price.currency))
    }
  }

  private func countAdding(_ delta: Int) throws(CartError) -> Int {
    let (count, overflow) = itemCount.addingReportingOverflow(delta)
    guard !overflow else { throw .invalidQuantity(delta) }
    return count
  }
}
