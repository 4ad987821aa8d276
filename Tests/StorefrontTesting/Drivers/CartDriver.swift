import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// What the cart's contract needs of a stage. The async stage is its own driver; the others are put behind one.
package protocol CartDriver: Sendable {
  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: CartState { get }
  func states() -> AsyncStream<CartState>
  func add(_ product: Product, quantity: Int) async throws
  func setQuantity(_ quantity: Int, of id: Product.ID) async throws
  func remove(_ id: Product.ID) async throws

  /// Starts an intent. The task is its caller, and ends with what that is told.
  func start(_ intent: CartIntent) -> Task<Void, any Error>
}

extension MigrationStage {
  /// The cart's view model of this stage, on a service that speaks both forms. Only the async stage has a host.
  package func makeCart(
    cart: Cart = Cart(), service: (any CartService & CartClosureService)? = nil,
    isolation: any Actor = Isolation()
  ) -> any CartDriver {
    makeCart(cart: cart, service: service, closures: service, isolation: isolation)
  }

  /// The cart's view model of this stage, on the service whose form it needs.
  package func makeCart(
    cart: Cart = Cart(), service: (any CartService)?, closures: (any CartClosureService)?,
    isolation: any Actor = Isolation()
  ) -> any CartDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      CartClosureDriver(CartClosureViewModel(cart: cart, service: closures, callbackQueue: queue))
    case .stream: CartStreamDriver(CartStreamViewModel(cart: cart, service: closures, callbackQueue: queue))
    case .async: CartViewModel(cart: cart, service: service, isolation: isolation)
    }
  }
}

extension CartViewModel: CartDriver {
  package nonisolated var subject: any AnyObject & Sendable { self }

  package nonisolated func start(_ intent: CartIntent) -> Task<Void, any Error> {
    Task {
      switch intent {
      case .add(let product, let quantity): try await add(product, quantity: quantity)
      case .setQuantity(let quantity, let id): try await setQuantity(quantity, of: id)
      case .remove(let id): try await remove(id)
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

  func add(_ product: Product, quantity: Int) async throws {
    try await completion(of: { viewModel.add(product, quantity: quantity, completion: $0) })
  }
  func setQuantity(_ quantity: Int, of id: Product.ID) async throws {
    try await completion(of: { viewModel.setQuantity(quantity, of: id, completion: $0) })
  }
  func remove(_ id: Product.ID) async throws {
    try await completion(of: { viewModel.remove(id, completion: $0) })
  }
  func start(_ intent: CartIntent) -> Task<Void, any Error> {
    completionTask { completion in
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

  func add(_ product: Product, quantity: Int) async throws {
    try await completion(of: { viewModel.add(product, quantity: quantity, completion: $0) })
  }
  func setQuantity(_ quantity: Int, of id: Product.ID) async throws {
    try await completion(of: { viewModel.setQuantity(quantity, of: id, completion: $0) })
  }
  func remove(_ id: Product.ID) async throws {
    try await completion(of: { viewModel.remove(id, completion: $0) })
  }
  func start(_ intent: CartIntent) -> Task<Void, any Error> {
    completionTask { completion in
      switch intent {
      case .add(let product, let quantity): viewModel.add(product, quantity: quantity, completion: completion)
      case .setQuantity(let quantity, let id): viewModel.setQuantity(quantity, of: id, completion: completion)
      case .remove(let id): viewModel.remove(id, completion: completion)
      }
    }
  }
}
