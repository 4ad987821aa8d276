package import AsyncViewModels
public import StorefrontDomain

/// The state of the cart's screen, and the rules by which it changes. The closure, stream and async view models share this type,
/// and none of them adds a rule.
///
/// The cart shows a change at once. The change is pending until the service has answered. If the change fails, the cart shows the
/// confirmed items with the other pending changes. The answers may arrive in any order.
///
/// The changes of one product are sent one after another. Changes of different products are sent at the same time. If a change
/// fails, the changes that wait for it are computed again without the failed change. A waiting change can then have another size:
/// for example, it removes three units instead of five. A rule of the cart can also refuse the waiting change with a
/// ``/StorefrontDomain/CartError``, for example because no unit is left to remove. The service never receives a change that a rule
/// has refused.
public struct CartState: Sendable {
  package typealias Changes = OptimisticChanges<CartIntent>

  private var changes: Changes
  private let hasService: Bool

  /// - Parameter hasService: Whether a service has to confirm each change.
  package init(cart: Cart = Cart(), hasService: Bool) {
    changes = OptimisticChanges(cart)
    self.hasService = hasService
  }

  /// The cart with all pending changes.
  public var cart: Cart { changes.value }

  /// The number of pending changes. The cart shows them, but the service has not answered them yet.
  public var pendingCount: Int { changes.pendingCount }

  /// Makes a change.
  ///
  /// - Returns: The identifier of the change, or `nil` if there is no service. End the change with ``confirm(_:)`` or
  ///   ``rollBack(_:)``.
  /// - Throws: A ``/StorefrontDomain/CartError`` if a rule of the cart refuses the change. The state is then unchanged.
  package mutating func begin(_ intent: CartIntent) throws(CartError) -> Changes.ID? {
    guard hasService else {
      try changes.apply(intent)
      return nil
    }
    return try changes.begin(intent)
  }

  /// Returns the request to send for a change, or the reason why a rule refuses the change. Returns `nil` while the change waits
  /// for an earlier change of its product, and after the change has ended.
  package func turn(of id: Changes.ID) -> Changes.Turn? { changes.turn(of: id) }

  /// Ends a change that the service has made. Returns the changes to send now, and the changes that a rule refuses during this
  /// call.
  package mutating func confirm(_ id: Changes.ID) -> [Changes.Turn] { changes.confirm(id) }

  /// Ends a change that has failed, and rolls it back. Returns the changes to send now, and the changes that a rule refuses during
  /// this call.
  package mutating func rollBack(_ id: Changes.ID) -> [Changes.Turn] { changes.rollBack(id) }
}

/// Two states are equal if the screen shows the same for both: an equal cart and the same number of pending changes.
extension CartState: Equatable {
  public static func == (left: CartState, right: CartState) -> Bool {
    left.pendingCount == right.pendingCount && left.cart == right.cart
  }
}

/// An intent of the cart's screen: what the user asks for.
package enum CartIntent: Sendable {
  case add(CatalogProduct, quantity: Int)
  case setQuantity(Int, of: CatalogProduct.ID)
  case remove(CatalogProduct.ID)
}

extension CartIntent: OptimisticChange {
  package var orderingKey: CatalogProduct.ID {
    switch self {
    case .add(let product, _): product.id
    case .setQuantity(_, let id), .remove(let id): id
    }
  }

  package func apply(to cart: inout Cart) throws(CartError) -> CartChange {
    switch self {
    case .add(let product, let quantity): try cart.add(product, quantity: quantity)
    case .setQuantity(let quantity, let id): try cart.setQuantity(quantity, of: id)
    case .remove(let id): try cart.remove(id)
    }
  }

  package static func reapply(_ change: CartChange, to cart: inout Cart) { cart.reapply(change) }
}
