import AsyncViewModels
import Synchronization

typealias CountedStore = ViewModelStore<CountedIdentity, CountedModel>

/// Counts what a store makes and lets go, and knows the store as an app's view models do: weakly.
final class LifetimeCounter: Sendable {
  private struct Known: Sendable { weak var store: CountedStore? }

  let living = Tally()
  private let known = Mutex(Known())

  func identity(_ number: Int) -> CountedIdentity { CountedIdentity(number, self) }

  func makeStore(retention: Duration, isolation: any Actor = Isolation()) -> CountedStore {
    let store = CountedStore(retention: retention, clock: ContinuousClock(), isolation: isolation) {
      CountedModel($0, self)
    }
    known.withLock { $0.store = store }
    return store
  }

  /// Nil when the store has gone. The caller may then keep it alive, and end it.
  var store: CountedStore? { known.withLock { $0.store } }
}

/// An identity that asks the store when it goes away: it would wait forever if the store released it under its lock.
final class CountedIdentity: Hashable, Sendable {
  let number: Int
  private let lifetimes: LifetimeCounter

  init(_ number: Int, _ lifetimes: LifetimeCounter) {
    self.number = number
    self.lifetimes = lifetimes
    lifetimes.living.add()
  }

  static func == (left: CountedIdentity, right: CountedIdentity) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }

  deinit {
    lifetimes.living.add(-1)
    _ = lifetimes.store?.counts
  }
}

/// A view model that leases another one for a moment when it goes away.
final class CountedModel: Sendable {
  let identity: CountedIdentity
  private let lifetimes: LifetimeCounter

  init(_ identity: CountedIdentity, _ lifetimes: LifetimeCounter) {
    self.identity = identity
    self.lifetimes = lifetimes
    lifetimes.living.add()
  }

  deinit {
    lifetimes.living.add(-1)
    guard let store = lifetimes.store else { return }
    _ = store.current(identity)
    _ = store.current(lifetimes.identity(identity.number + 1))
  }
}
