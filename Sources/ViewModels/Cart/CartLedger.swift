import AsyncViewModels
package import StorefrontDomain

/// What the service has confirmed of a cart, and the changes that it has not answered yet, in the order in which they were made.
///
/// The changes of one product are due one after the other: on the wire a remove could overtake its add, and would be refused.
/// Changes of different products are due at once.
struct CartLedger: Sendable {
  private struct Entry {
    let intent: CartIntent
    var change: PendingChange

    var product: Product.ID { change.change.product.id }
  }

  private var entries: [Entry] = []
  private var confirmed: Cart
  private var lastID = 0

  init(confirmed: Cart) { self.confirmed = confirmed }

  var count: Int { entries.count }

  mutating func note(_ change: CartChange, for intent: CartIntent) -> PendingChange {
    lastID += 1
    let isDue = !entries.contains { $0.product == change.product.id }
    let noted = PendingChange(id: lastID, change: change, isDue: isDue)
    entries.append(Entry(intent: intent, change: noted))
    return noted
  }

  mutating func confirm(_ id: PendingChange.ID) -> [CartTurn] {
    guard let answered = remove(id) else { return [] }
    confirmed.absorb(answered.change.change)
    return turns(after: answered)
  }

  /// Makes `cart` what has been confirmed, with the other changes on top.
  mutating func rollBack(_ id: PendingChange.ID, in cart: inout Cart) -> [CartTurn] {
    guard let refused = remove(id) else { return [] }
    cart = confirmed
    let failures = redo(in: &cart)
    return failures + turns(after: refused)
  }

  private mutating func remove(_ id: PendingChange.ID) -> Entry? {
    entries.firstIndex { $0.change.id == id }.map { entries.remove(at: $0) }
  }

  private mutating func turns(after answered: Entry) -> [CartTurn] {
    guard let next = entries.firstIndex(where: { $0.product == answered.product }),
      !entries[next].change.isDue
    else { return [] }
    entries[next].change.isDue = true
    return [CartTurn(id: entries[next].change.id, result: .success(entries[next].change))]
  }

  /// Of what the service has not been told, the shopper's intent counts, whatever it comes to by now.
  private mutating func redo(in cart: inout Cart) -> [CartTurn] {
    var failures: [CartTurn] = []
    entries = entries.compactMap { entry in
      guard !entry.change.isDue else {
        cart.absorb(entry.change.change)
        return entry
      }
      let id = entry.change.id
      do throws(CartError) {
        let redone = PendingChange(id: id, change: try cart.perform(entry.intent), isDue: false)
        return Entry(intent: entry.intent, change: redone)
      } catch {
        failures.append(CartTurn(id: id, result: .failure(error)))
        return nil
      }
    }
    return failures
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

/// A change that is shown, and that the service has not answered yet.
package struct PendingChange: Identifiable, Sendable {
  package let id: Int

  /// What the service is told. A change that waits for its turn may come to another one by then.
  package let change: CartChange

  /// Whether the service is to be told now. Else an earlier change of its product is under way, and a ``CartTurn`` says when.
  package internal(set) var isDue: Bool
}

/// The end of a change's wait for the earlier ones of its product.
package struct CartTurn: Identifiable, Sendable {
  package let id: PendingChange.ID

  /// The change as the service is to be told now. A failure where it cannot be done any more, because what it stood on was
  /// refused: the service is not told, and it is not shown any more.
  package let result: Result<PendingChange, CartError>
}
