import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// A synchronous function that adds 100 products to a cart, one call for each, while the cart's queue is busy.
enum SynchronousAdds {
  /// On the main actor, as the code of a screen.
  case onMain
  /// On no actor. In the async stage, the tasks of the calls run after the last call, and newest first.
  case elsewhere
  /// In the async stage, each task begins within the call. Needs ``canStartAtOnce``.
  case immediate(onMain: Bool)

  struct Numbers: Sendable {
    /// The number of products that the state shows when their calls return.
    let shown: Int
    /// The number of tasks that the caller has created.
    let tasks: Int
    /// The number of products whose place in the cart matches the order of the calls.
    let inOrder: Int
  }

  // Begins at 2, because `CatalogProduct.plenty`, which is already in the cart, has the ID 1.
  private static let products = (2...101).map { number in
    CatalogProduct(
      id: CatalogProduct.ID(rawValue: number), name: "Lamp \(number)",
      price: Money(minorUnits: 1, currency: .usd),
      stock: 1)
  }

  private var isOnMain: Bool {
    switch self {
    case .onMain, .immediate(onMain: true): true
    case .elsewhere, .immediate(onMain: false): false
    }
  }

  /// Whether this system has `Task.immediate`.
  static var canStartAtOnce: Bool {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { true } else { false }
  }

  /// Runs the calls, and waits for their results.
  func run(_ stage: MigrationStage) async throws -> Numbers {
    let (service, callbacks) = (BusyCartService(), DispatchQueue(label: "callbacks"))
    switch stage {
    case .closure:
      let cart = CartClosureViewModel(
        restoring: try SavedCart(.holdingOne()), service: service, callbackQueue: callbacks)
      cart.setQuantity(2, of: CatalogProduct.plenty.id)
      return await call(service, state: { cart.state }) { cart.add($0, completion: $1) }
    case .stream:
      let cart = CartStreamViewModel(
        restoring: try SavedCart(.holdingOne()), service: service, callbackQueue: callbacks)
      cart.setQuantity(2, of: CatalogProduct.plenty.id)
      return await call(service, state: { cart.state }) { cart.add($0, completion: $1) }
    case .async:
      let cart = CartViewModel(restoring: try SavedCart(.holdingOne()))
      let (shown, tasks) = await start(cart)
      for task in tasks { try await task.value }
      return Numbers(shown: shown, tasks: tasks.count, inOrder: Self.inOrder(cart.state))
    }
  }

  private func call(
    _ service: BusyCartService, state: @escaping @Sendable () -> CartState,
    _ add: @escaping @Sendable (CatalogProduct, @escaping CartClosureViewModel.Completion) -> Void
  ) async -> Numbers {
    let (ended, all) = (Tally(), Gate())
    @Sendable func addAll() -> Int {
      Self.products.count { product in
        add(product) { _ in if ended.increment() == Self.products.count { all.open() } }
        return state().cart.quantity(of: product.id) == 1
      }
    }
    await service.requested.wait()
    let shown = isOnMain ? await MainActor.run { addAll() } : addAll()
    service.release()
    await all.wait()
    return Numbers(shown: shown, tasks: 0, inOrder: Self.inOrder(state()))
  }

  private func start(_ cart: CartViewModel) async -> (shown: Int, tasks: [Task<Void, any Error>]) {
    switch self {
    case .onMain: return await Self.startOnMain(cart)
    case .elsewhere:
      let executor = NewestFirstExecutor()
      defer { executor.release() }
      return Self.start(cart) { product in
        Task(executorPreference: executor) { try await cart.add(product) }
      }
    case .immediate(let onMain):
      return onMain ? await MainActor.run { Self.startAtOnce(cart) } : Self.startAtOnce(cart)
    }
  }

  @MainActor
  private static func startOnMain(_ cart: CartViewModel) -> (shown: Int, tasks: [Task<Void, any Error>]) {
    start(cart) { product in Task { try await cart.add(product) } }
  }

  private static func startAtOnce(_ cart: CartViewModel) -> (shown: Int, tasks: [Task<Void, any Error>]) {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      preconditionFailure("this system has no Task.immediate")
    }
    return start(cart) { product in Task.immediate { try await cart.add(product) } }
  }

  private static func start(
    _ cart: CartViewModel, _ add: (CatalogProduct) -> Task<Void, any Error>
  ) -> (shown: Int, tasks: [Task<Void, any Error>]) {
    var (shown, tasks) = (0, [Task<Void, any Error>]())
    for product in products {
      tasks.append(add(product))
      if cart.state.cart.quantity(of: product.id) == 1 { shown += 1 }
    }
    return (shown, tasks)
  }

  /// Counts the products whose place matches the order of the calls. Skips the first item, which was in the
  /// cart before the calls.
  private static func inOrder(_ state: CartState) -> Int {
    zip(state.cart.items.dropFirst(), products).count { $0.id == $1.id }
  }
}

/// A service that keeps the queue of a cart busy until it is released.
private final class BusyCartService: CartClosureService {
  let requested = Gate()
  private let released = DispatchSemaphore(value: 0)

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    completion(.success(Cart()))
    return .finished
  }

  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    requested.open()
    released.wait()
    released.signal()
    completion(.success(()))
    return .finished
  }

  func release() { released.signal() }
}
