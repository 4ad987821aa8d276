import AsyncViewModels
import Synchronization

typealias CountedStore = ViewModelStore<CountedIdentity, CountedModel>

/// Counts the live identities and view models of a store, and references the store weakly, as view models of
/// an app do.
final class LifetimeCounter: Sendable {
  private struct WeakStore: Sendable { weak var store: CountedStore? }

  let live = Tally()
  private let weakStore = Mutex(WeakStore())

  func identity(_ number: Int) -> CountedIdentity { CountedIdentity(number, self) }

  func makeStore(retention: Duration, isolation: (any Actor)? = nil) -> CountedStore {
    let store = CountedStore(retention: retention, clock: ContinuousClock(), isolation: isolation) {
      CountedModel($0, self)
    }
    weakStore.withLock { $0.store = store }
    return store
  }

  /// The store, or nil if it was released. A caller can own the last reference and so end the store.
  var store: CountedStore? { weakStore.withLock { $0.store } }
}

/// An identity that counts as live until its `deinit`.
final class CountedIdentity: Hashable, Sendable {
  let number: Int
  private let lifetimes: LifetimeCounter

  init(_ number: Int, _ lifetimes: LifetimeCounter) {
    self.number = number
    self.lifetimes = lifetimes
    lifetimes.live.add()
  }

  static func == (left: CountedIdentity, right: CountedIdentity) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }

  deinit { lifetimes.live.add(-1) }
}

/// A view model whose `deinit` briefly leases the current view models of its identity and the next identity.
final class CountedModel: Sendable {
  let identity: CountedIdentity
  private let lifetimes: LifetimeCounter

  init(_ identity: CountedIdentity, _ lifetimes: LifetimeCounter) {
    self.identity = identity
    self.lifetimes = lifetimes
    lifetimes.live.add()
  }

  deinit {
    lifetimes.live.add(-1)
    guard let store = lifetimes.store else { return }
    _ = store.current(identity)
    _ = store.current(lifetimes.identity(identity.number + 1))
  }
}
