package import AsyncViewModels
public import StorefrontDomain

/// The state of the cart's screen, and the rules by which it changes. All three stages use it, and none adds a rule.
///
/// A change is shown at once and is pending until the service has answered. If the service refuses it, the cart shows the
/// confirmed items with the other pending changes. The answers may arrive in any order; no other caller's change is lost.
///
/// The changes of one product are sent one after another, those of different products at the same time. If a change is
/// refused, the changes that wait for it are computed again without it. Such a change can become another one (three pieces are removed
/// instead of five). It can also fail with the ``/StorefrontDomain/CartError`` of the cart's rules (no piece is left to remove), and is
/// then not sent.
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

  /// The number of changes that the service has not answered yet.
  public var pendingCount: Int { changes.pendingCount }

  /// Makes a change.
  ///
  /// - Returns: The change, to be ended with ``confirm(_:)`` or ``rollBack(_:)``, or `nil` if there is no service.
  /// - Throws: The ``/StorefrontDomain/CartError`` of the cart's rules. The state is then as it was.
  package mutating func begin(_ intent: CartIntent) throws(CartError) -> Changes.ID? {
    guard hasService else {
      try changes.apply(intent)
      return nil
    }
    return try changes.begin(intent)
  }

  /// Returns the request to send for a change, or `nil` while the change waits for an earlier one of its product.
  package func turn(of id: Changes.ID) -> Changes.Turn? { changes.turn(of: id) }

  /// Ends a change that the service has made, and returns the changes whose turn comes now.
  package mutating func confirm(_ id: Changes.ID) -> [Changes.Turn] { changes.confirm(id) }

  /// Ends a refused change, takes it back, and returns the changes whose turn comes now.
  package mutating func rollBack(_ id: Changes.ID) -> [Changes.Turn] { changes.rollBack(id) }
}

/// Two states are equal if the screen shows the same for both: an equal cart and the same number of pending changes.
extension CartState: Equatable {
  public static func == (left: CartState, right: CartState) -> Bool {
    left.pendingCount == right.pendingCount && left.cart == right.cart
  }
}

/// An intent of the cart's screen.
package enum CartIntent: Sendable {
  case add(Product, quantity: Int)
  case setQuantity(Int, of: Product.ID)
  case remove(Product.ID)
}

extension CartIntent: OptimisticChange {
  package var lane: Product.ID {
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

  /// Makes as much of a change as the rules allow.
  package static func reapply(_ change: CartChange, to cart: inout Cart) {
    let present = cart.quantity(of: change.product.id)
    let room = max(change.product.stock - present, 0)
    let delta = min(max(change.delta, -present), room)
    try? cart.apply(CartChange(product: change.product, delta: delta))
  }
}
