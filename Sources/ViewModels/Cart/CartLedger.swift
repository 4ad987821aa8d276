import Domain

/// What the service has confirmed of a cart, and the changes that it has not answered yet, in the order in which they were made.
///
/// The changes of one product are due one after the other: on the wire a remove could overtake its add, and would be refused.
/// Changes of different products are due at once.
struct CartLedger: Sendable {
  private(set) var pending: [PendingChange] = []
  private var confirmed: Cart
  private var lastID = 0

  init(confirmed: Cart) { self.confirmed = confirmed }

  mutating func note(_ change: CartChange, for intent: CartIntent) -> PendingChange {
    lastID += 1
    let isDue = !pending.contains { $0.change.product.id == change.product.id }
    let noted = PendingChange(id: lastID, change: change, isDue: isDue, intent: intent)
    pending.append(noted)
    return noted
  }

  mutating func confirm(_ id: PendingChange.ID) -> [CartTurn] {
    guard let answered = remove(id) else { return [] }
    confirmed.absorb(answered.change)
    return turns(after: answered)
  }

  /// Makes `cart` what has been confirmed, with the other changes on top.
  mutating func rollBack(_ id: PendingChange.ID, in cart: inout Cart) -> [CartTurn] {
    guard let refused = remove(id) else { return [] }
    cart = confirmed
    let failures = redo(in: &cart)
    return failures + turns(after: refused)
  }

  private mutating func remove(_ id: PendingChange.ID) -> PendingChange? {
    pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
  }

  private mutating func turns(after answered: PendingChange) -> [CartTurn] {
    let product = answered.change.product.id
    guard let next = pending.firstIndex(where: { $0.change.product.id == product }), !pending[next].isDue
    else { return [] }
    pending[next].isDue = true
    return [CartTurn(id: pending[next].id, result: .success(pending[next]))]
  }

  /// Of what the service has not been told, the shopper's intent counts, whatever it comes to by now.
  private mutating func redo(in cart: inout Cart) -> [CartTurn] {
    var (redone, failures): ([PendingChange], [CartTurn]) = ([], [])
    for change in pending {
      do throws(CartError) {
        redone.append(try change.redone(in: &cart))
      } catch {
        failures.append(CartTurn(id: change.id, result: .failure(error)))
      }
    }
    pending = redone
    return failures
  }
}

extension PendingChange {
  fileprivate func redone(in cart: inout Cart) throws(CartError) -> PendingChange {
    guard !isDue else {
      cart.absorb(change)
      return self
    }
    return PendingChange(id: id, change: try cart.perform(intent), isDue: false, intent: intent)
  }
}

extension Cart {
  /// Takes on a change that the service has been told, as far as it is allowed: what it stood on may have been refused since.
  fileprivate mutating func absorb(_ change: CartChange) {
    let present = quantity(of: change.product.id)
    let room = max(change.product.stock - present, 0)
    let delta = min(max(change.delta, -present), room)
    try? apply(CartChange(product: change.product, delta: delta))
  }
}
