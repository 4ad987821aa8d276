import AsyncViewModels
import AsyncViewModelsGCD
package import AsyncViewModelsTesting
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the cart's view model of one stage, so that one test suite, the contract, can test all stages.
package protocol CartDriver: Sendable {
  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: CartState { get }
  func states() -> AsyncStream<CartState>
  func add(_ product: CatalogProduct, quantity: Int) async throws
  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws
  func remove(_ id: CatalogProduct.ID) async throws

  /// Starts a load, and returns a task that ends when the load is over. In the async stage, the task is the caller of the load.
  @discardableResult func load() async -> Task<Void, Never>
  func discardUnanswered()
  func cancel() async
  /// Starts a flush of the storage, and returns a task that ends with the result.
  @discardableResult func flush() -> Task<Void, any Error>
  /// Closes the cart, and returns a task that ends when no save is in progress.
  @discardableResult func close() async -> Task<Void, Never>

  /// Starts an intent, and returns a task that ends with the intent's result. In the async stage, the task is
  /// the caller of the intent.
  func start(_ intent: CartIntent) -> Task<Void, any Error>
}

extension MigrationStage {
  /// Creates the cart's view model of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makeCart(
    restoring saved: SavedCart = SavedCart(), service: (any CartService & CartClosureService)? = nil,
    storage: (any CartStorage & CartClosureStorage)? = nil,
    feed: (any ProductFeed & ProductClosureFeed)? = nil, clock: VirtualClock = VirtualClock(),
    isolation: (any Actor)? = nil
  ) -> any CartDriver {
    makeCart(
      restoring: saved, service: service, closures: service, storage: storage, feed: feed,
      closureFeed: feed, clock: clock, isolation: isolation)
  }

  /// Creates the cart's view model of this stage, and returns its driver. The async stage uses `service`, `feed` and
  /// `isolation`. The other stages use `closures` and `closureFeed`.
  package func makeCart(
    restoring saved: SavedCart = SavedCart(), service: (any CartService)?,
    closures: (any CartClosureService)?, storage: (any CartStorage & CartClosureStorage)? = nil,
    feed: (any ProductFeed)? = nil, closureFeed: (any ProductClosureFeed)? = nil,
    clock: VirtualClock = VirtualClock(), isolation: (any Actor)? = nil
  ) -> any CartDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      CartClosureDriver(
        CartClosureViewModel(
          restoring: saved, service: closures, storage: storage, feed: closureFeed, scheduler: clock,
          callbackQueue: queue))
    case .stream:
      CartStreamDriver(
        CartStreamViewModel(
          restoring: saved, service: closures, storage: storage, feed: closureFeed, scheduler: clock,
          callbackQueue: queue))
    case .async:
      CartAsyncDriver(
        CartViewModel(
          restoring: saved, service: service, storage: storage, feed: feed, clock: clock, isolation: isolation
        ))
    }
  }
}

private struct CartAsyncDriver: CartDriver {
  let viewModel: CartViewModel
  init(_ viewModel: CartViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: CartState { viewModel.state }
  func states() -> AsyncStream<CartState> { viewModel.states() }

  func add(_ product: CatalogProduct, quantity: Int) async throws {
    try await viewModel.add(product, quantity: quantity)
  }
  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await viewModel.setQuantity(quantity, of: id)
  }
  func remove(_ id: CatalogProduct.ID) async throws { try await viewModel.remove(id) }
  func load() async -> Task<Void, Never> { await viewModel.start { await $0.load() } }
  func discardUnanswered() { viewModel.discardUnanswered() }
  func cancel() async { await viewModel.cancel() }
  func flush() -> Task<Void, any Error> { startIntent { [viewModel] in try await viewModel.flush() } }
  func close() async -> Task<Void, Never> { await viewModel.start { await $0.close() } }
  func start(_ intent: CartIntent) -> Task<Void, any Error> {
    startIntent { [viewModel] in
      switch intent {
      case .add(let product, let quantity): try await viewModel.add(product, quantity: quantity)
      case .setQuantity(let quantity, let id): try await viewModel.setQuantity(quantity, of: id)
      case .remove(let id): try await viewModel.remove(id)
      }
    }
  }
}

private struct CartStreamDriver: CartDriver {
  let viewModel: CartStreamViewModel
  init(_ viewModel: CartStreamViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: CartState { viewModel.state }
  func states() -> AsyncStream<CartState> { viewModel.states() }

  func add(_ product: CatalogProduct, quantity: Int) async throws {
    try await completion(of: { viewModel.add(product, quantity: quantity, completion: $0) })
  }
  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await completion(of: { viewModel.setQuantity(quantity, of: id, completion: $0) })
  }
  func remove(_ id: CatalogProduct.ID) async throws {
    try await completion(of: { viewModel.remove(id, completion: $0) })
  }
  func load() -> Task<Void, Never> { completionTask { viewModel.load(completion: $0) } }
  func discardUnanswered() { viewModel.discardUnanswered() }
  func cancel() async { viewModel.cancel() }
  func flush() -> Task<Void, any Error> { resultTask { viewModel.flush(completion: $0) } }
  func close() -> Task<Void, Never> { completionTask { viewModel.close(completion: $0) } }
  func start(_ intent: CartIntent) -> Task<Void, any Error> {
    resultTask { completion in
      switch intent {
      case .add(let product, let quantity): viewModel.add(product, quantity: quantity, completion: completion)
      case .setQuantity(let quantity, let id): viewModel.setQuantity(quantity, of: id, completion: completion)
      case .remove(let id): viewModel.remove(id, completion: completion)
      }
    }
  }
}

private struct CartClosureDriver: CartDriver {
  let viewModel: CartClosureViewModel
  init(_ viewModel: CartClosureViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: CartState { viewModel.state }
  func states() -> AsyncStream<CartState> { boundStates { viewModel.bind($0) } }

  func add(_ product: CatalogProduct, quantity: Int) async throws {
    try await completion(of: { viewModel.add(product, quantity: quantity, completion: $0) })
  }
  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await completion(of: { viewModel.setQuantity(quantity, of: id, completion: $0) })
  }
  func remove(_ id: CatalogProduct.ID) async throws {
    try await completion(of: { viewModel.remove(id, completion: $0) })
  }
  func load() -> Task<Void, Never> { completionTask { viewModel.load(completion: $0) } }
  func discardUnanswered() { viewModel.discardUnanswered() }
  func cancel() async { viewModel.cancel() }
  func flush() -> Task<Void, any Error> { resultTask { viewModel.flush(completion: $0) } }
  func close() -> Task<Void, Never> { completionTask { viewModel.close(completion: $0) } }
  func start(_ intent: CartIntent) -> Task<Void, any Error> {
    resultTask { completion in
      switch intent {
      case .add(let product, let quantity): viewModel.add(product, quantity: quantity, completion: completion)
      case .setQuantity(let quantity, let id): viewModel.setQuantity(quantity, of: id, completion: completion)
      case .remove(let id): viewModel.remove(id, completion: completion)
      }
    }
  }
}
