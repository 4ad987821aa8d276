public import Domain

/// What the cart's screen shows, and the rules by which it changes. All three stages use it; none adds a rule.
///
/// A change is shown at once, and stands in a ledger until the service has answered. Where the service refuses it, the cart goes
/// back to what has been confirmed, with the changes on top that are still under way: in whichever order the answers come, no
/// other caller's change is lost.
public struct CartState: Sendable {
  /// The cart as the shopper sees it, with the changes that nobody has confirmed yet.
  public private(set) var cart: Cart

  /// What the service has confirmed, and what it has yet to answer. Nil where there is no service to ask.
  private var ledger: Ledger?

  private struct Ledger {
    var confirmed: Cart
    var pending: [PendingChange] = []
    var lastID = 0

    mutating func note(_ change: CartChange) -> PendingChange {
      lastID += 1
      pending.append(PendingChange(id: lastID, change: change))
      return pending[pending.endIndex - 1]
    }

    mutating func remove(_ change: PendingChange) -> Bool {
      guard let index = pending.firstIndex(where: { $0.id == change.id }) else { return false }
      pending.remove(at: index)
      return true
    }
  }

  /// - Parameter isConfirmed: whether a service has to confirm each change.
  public init(cart: Cart = Cart(), isConfirmed: Bool) {
    self.cart = cart
    ledger = isConfirmed ? Ledger(confirmed: cart) : nil
  }

  /// How many changes wait for the service's answer.
  public var pendingCount: Int { ledger?.pending.count ?? 0 }

  /// Takes on an intent at once.
  ///
  /// - Returns: the change that the service has to answer, by ``confirm(_:)`` or ``rollBack(_:)``. Nil where there is no service.
  /// - Throws: the ``Domain/CartError`` that the cart's rules give; the state is as it was.
  public mutating func begin(_ intent: CartIntent) throws(CartError) -> PendingChange? {
    let change = try cart.perform(intent)
    return ledger?.note(change)
  }

  /// Notes that the service has taken a change on.
  public mutating func confirm(_ change: PendingChange) {
    guard ledger?.remove(change) == true else { return }
    ledger?.confirmed.absorb(change.change)
  }

  /// Takes a change back that the service has not taken on. O(items + pending changes).
  public mutating func rollBack(_ change: PendingChange) {
    guard ledger?.remove(change) == true, let ledger else { return }
    cart = ledger.confirmed
    for pending in ledger.pending { cart.absorb(pending.change) }
  }
}

/// What a shopper wants of the cart.
public enum CartIntent: Sendable {
  case add(Product, quantity: Int)
  case setQuantity(Int, of: Product.ID)
  case remove(Product.ID)
}

/// A change that is shown, and on its way to the service.
public struct PendingChange: Identifiable, Sendable {
  public let id: Int
  public let change: CartChange
}

extension Cart {
  fileprivate mutating func perform(_ intent: CartIntent) throws(CartError) -> CartChange {
    switch intent {
    case .add(let product, let quantity): try add(product, quantity: quantity)
    case .setQuantity(let quantity, let id): try setQuantity(quantity, of: id)
    case .remove(let id): try remove(id)
    }
  }

  /// Takes on a change that was allowed when it was made, as far as it still is: what it stood on may have been refused since.
  fileprivate mutating func absorb(_ change: CartChange) {
    let present = quantity(of: change.product.id)
    let room = max(change.product.stock - present, 0)
    let delta = min(max(change.delta, -present), room)
    try? apply(CartChange(product: change.product, delta: delta))
  }
}
