/// The shopper's cart as a device keeps it.
public struct SavedCart: Sendable, Equatable, Codable {
  /// The items that the service has confirmed.
  public let cart: Cart
  /// The changes that the service has neither confirmed nor refused, in their order. Their keys
  /// differ.
  public let unanswered: [UnansweredChange]

  /// Creates a saved cart.
  ///
  /// - Precondition: The keys of the changes differ. Decoding equal keys throws an error.
  public init(_ cart: Cart = Cart(), unanswered: [UnansweredChange] = []) {
    precondition(Self.repeatedKey(in: unanswered) == nil, "two unanswered changes have the same key")
    self.cart = cart
    self.unanswered = unanswered
  }

  private static func repeatedKey(in changes: [UnansweredChange]) -> IdempotencyKey? {
    var keys: Set<IdempotencyKey> = []
    return changes.first { !keys.insert($0.key).inserted }?.key
  }

  private enum CodingKeys: CodingKey {
    case cart, unanswered
  }

  /// Decodes a saved cart.
  ///
  /// - Throws: `DecodingError`, also if two changes have the same key.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let cart = try container.decode(Cart.self, forKey: .cart)
    let unanswered = try container.decode([UnansweredChange].self, forKey: .unanswered)
    let repeated = Self.repeatedKey(in: unanswered)
    try container.require(repeated == nil, "two changes with the same key", of: .unanswered)
    self.init(cart, unanswered: unanswered)
  }
}

/// A change that the service has neither confirmed nor refused. It may have been sent.
public struct UnansweredChange: Sendable, Hashable, Codable {
  /// The key with which the change is sent, each time.
  public let key: IdempotencyKey
  /// The change, which is computed again if an earlier change for which it waits is refused.
  public let change: CartChange
  /// The number of units that the shopper wants, or `nil` if the shopper adds units.
  public let quantity: Int?

  /// Creates an unanswered change.
  public init(key: IdempotencyKey, change: CartChange, quantity: Int? = nil) {
    self.key = key
    self.change = change
    self.quantity = quantity
  }

  private enum CodingKeys: CodingKey {
    case key, change, quantity
  }

  /// Decodes an unanswered change.
  ///
  /// - Throws: `DecodingError`, also for a negative quantity.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let quantity = try container.decodeIfPresent(Int.self, forKey: .quantity)
    if let quantity { try container.require(quantity >= 0, "negative quantity: \(quantity)", of: .quantity) }
    self.init(
      key: try container.decode(IdempotencyKey.self, forKey: .key),
      change: try container.decode(CartChange.self, forKey: .change), quantity: quantity)
  }
}
