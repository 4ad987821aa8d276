import AsyncViewModels
public import StorefrontDomain

/// What the cart's screen shows, and the rules by which it changes. All three stages use it; none adds a rule.
///
/// A change is shown at once, and stands in a ledger until the service has answered. Where the service refuses it, the cart goes
/// back to what has been confirmed, with the changes on top that are still under way: in whichever order the answers come, no
/// other caller's change is lost.
///
/// The service is told the changes of one product one after the other, and those of different products at once. What waits behind
/// a refused change is done anew on what is left: it comes to another change (three are taken out instead of five), or fails with
/// the ``/StorefrontDomain/CartError`` that the cart's rules give (none is left to be taken out), and then the service is not told.
public struct CartState: Sendable {
  /// The cart as the shopper sees it, with the changes that nobody has confirmed yet.
  public private(set) var cart: Cart

  /// What the service has confirmed, and what it has yet to answer. Nil where there is no service to ask.
  private var ledger: CartLedger?

  /// - Parameter isConfirmed: whether a service has to confirm each change.
  package init(cart: Cart = Cart(), isConfirmed: Bool) {
    self.cart = cart
    ledger = isConfirmed ? CartLedger(confirmed: cart) : nil
  }

  /// How many changes wait for the service's answer, or for their turn to be sent.
  public var pendingCount: Int { ledger?.count ?? 0 }

  /// Takes on an intent at once. O(pending changes) beside what the intent costs.
  ///
  /// - Returns: the change that the service has to answer, by ``confirm(_:)`` or ``rollBack(_:)``. It is told now where the change
  ///   is due, else when its ``CartTurn`` comes. Nil where there is no service.
  /// - Throws: the ``/StorefrontDomain/CartError`` that the cart's rules give; the state is as it was.
  package mutating func begin(_ intent: CartIntent) throws(CartError) -> PendingChange? {
    let change = try cart.perform(intent)
    return ledger?.note(change, for: intent)
  }

  /// Notes that the service has taken a change on. O(pending changes).
  ///
  /// - Returns: the changes that need not wait any more.
  package mutating func confirm(_ change: PendingChange) -> [CartTurn] {
    ledger?.confirm(change.id) ?? []
  }

  /// Takes a change back that the service has not taken on. O(items + pending changes).
  ///
  /// - Returns: the changes that need not wait any more.
  package mutating func rollBack(_ change: PendingChange) -> [CartTurn] {
    ledger?.rollBack(change.id, in: &cart) ?? []
  }
}

/// Two states are equal if a screen shows the same for both: the same cart and the same number of unconfirmed changes.
extension CartState: Equatable {
  public static func == (one: CartState, other: CartState) -> Bool {
    one.pendingCount == other.pendingCount && one.cart == other.cart
  }
}

/// What a shopper wants of the cart.
package enum CartIntent: Sendable {
  case add(Product, quantity: Int)
  case setQuantity(Int, of: Product.ID)
  case remove(Product.ID)
}

extension Cart {
  mutating func perform(_ intent: CartIntent) throws(CartError) -> CartChange {
    switch intent {
    case .add(let product, let quantity): try add(product, quantity: quantity)
    case .setQuantity(let quantity, let id): try setQuantity(quantity, of: id)
    case .remove(let id): try remove(id)
    }
  }
}
