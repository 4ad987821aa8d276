import AsyncViewModels
import Synchronization

typealias LedgerStore = ViewModelStore<LedgerIdentity, LedgerModel>

/// Counts what a store makes and lets go, and knows the store as an app's view models do: weakly.
final class Ledger: Sendable {
  private struct Known: Sendable { weak var store: LedgerStore? }

  let living = Tally()
  private let known = Mutex(Known())

  func identity(_ number: Int) -> LedgerIdentity { LedgerIdentity(number, self) }

  func makeStore(retention: Duration, isolation: any Actor = Isolation()) -> LedgerStore {
    let store = LedgerStore(retention: retention, clock: ContinuousClock(), isolation: isolation) {
      LedgerModel($0, self)
    }
    known.withLock { $0.store = store }
    return store
  }

  /// Nil when the store has gone. The caller may then keep it alive, and end it.
  var store: LedgerStore? { known.withLock { $0.store } }
}

/// An identity that asks the store when it goes away: it would wait forever if the store released it under its lock.
final class LedgerIdentity: Hashable, Sendable {
  let number: Int
  private let ledger: Ledger

  init(_ number: Int, _ ledger: Ledger) {
    self.number = number
    self.ledger = ledger
    ledger.living.add()
  }

  static func == (left: LedgerIdentity, right: LedgerIdentity) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }

  deinit {
    ledger.living.add(-1)
    _ = ledger.store?.counts
  }
}

/// A view model that leases another one for a moment when it goes away.
final class LedgerModel: Sendable {
  let identity: LedgerIdentity
  private let ledger: Ledger

  init(_ identity: LedgerIdentity, _ ledger: Ledger) {
    self.identity = identity
    self.ledger = ledger
    ledger.living.add()
  }

  deinit {
    ledger.living.add(-1)
    guard let store = ledger.store else { return }
    _ = store.current(identity)
    _ = store.current(ledger.identity(identity.number + 1))
  }
}
