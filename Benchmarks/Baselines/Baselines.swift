import AsyncViewModels
import Dispatch
import StorefrontDomain
import StorefrontViewModels
import Synchronization

/// A value that threads share at the minimum cost: one lock around one store or one addition.
final class LockedValue: Sendable {
  private let guarded = Mutex(0)

  var value: Int { guarded.withLock { $0 } }

  func store(_ value: Int) { guarded.withLock { $0 = value } }

  func add() { guarded.withLock { $0 &+= 1 } }
}

/// An actor on the default executor.
actor PlainCounter {
  private var count = 0

  func add() { count &+= 1 }
}

/// An actor on the executor of its isolation, like every view model of the async stage.
actor IsolatedCounter: ViewModelActor {
  nonisolated let modelState: ModelState<Void>
  private var count = 0

  init(on isolation: (any Actor)? = nil) { modelState = ModelState((), on: isolation) }

  func add() { count &+= 1 }
}

/// A class that a serial queue guards, like every view model of the closure stage.
///
/// `@unchecked Sendable`: `queue` guards `count`.
final class QueueCounter: @unchecked Sendable {
  private let queue = DispatchQueue(label: "counter")
  private var count = 0

  func add() { queue.sync { count &+= 1 } }

  func add(completion: @escaping @Sendable () -> Void) {
    queue.async {
      self.count &+= 1
      completion()
    }
  }
}

/// A cart that tasks share at the minimum cost: the rules of the cart in an actor, without observers.
actor BareCart {
  private var state: CartState

  init(_ cart: Cart) { state = CartState(SavedCart(cart), hasService: false) }

  func add(_ product: CatalogProduct) throws { _ = try state.begin(.add(product, quantity: 1)) }
}
