import AsyncViewModels
import AsyncViewModelsTesting
import CombineViewModels
@unsafe @preconcurrency import OpenCombine
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension MigrationStage {
  func makeCart(
    restoring saved: SavedCart = SavedCart(), service: (any CartService & CartClosureService)? = nil,
    storage: (any CartStorage & CartClosureStorage)? = nil,
    feed: (any ProductFeed & ProductClosureFeed)? = nil, clock: VirtualClock = VirtualClock(),
    isolation: (any Actor)? = nil
  ) -> any CartDriver {
    makeCart(
      restoring: saved, service: service, closures: service, storage: storage, feed: feed,
      closureFeed: feed, clock: clock, isolation: isolation)
  }

  func makeCart(
    restoring saved: SavedCart = SavedCart(), service: (any CartService)?,
    closures: (any CartClosureService)?, storage: (any CartStorage & CartClosureStorage)? = nil,
    feed: (any ProductFeed)? = nil, closureFeed: (any ProductClosureFeed)? = nil,
    clock: VirtualClock = VirtualClock(),
    isolation: (any Actor)? = nil
  ) -> any CartDriver {
    if let original {
      return original.makeCart(
        restoring: saved, service: service, closures: closures, storage: storage, feed: feed,
        closureFeed: closureFeed, clock: clock, isolation: isolation)
    }
    return CombineCartDriver(
      viewModel: CartCombineViewModel(
        restoring: saved, service: closures, storage: storage, feed: closureFeed,
        scheduler: VirtualScheduler(clock)))
  }
}

private struct CombineCartDriver: CartDriver {
  let viewModel: CartCombineViewModel

  var subject: any AnyObject & Sendable { viewModel }
  var state: CartState { viewModel.state }
  func states() -> AsyncStream<CartState> { stream(of: viewModel.states) }

  func add(_ product: CatalogProduct, quantity: Int) async throws {
    try await resultTask(of: viewModel.add(product, quantity: quantity)).value
  }
  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID) async throws {
    try await resultTask(of: viewModel.setQuantity(quantity, of: id)).value
  }
  func remove(_ id: CatalogProduct.ID) async throws { try await resultTask(of: viewModel.remove(id)).value }
  func load() -> Task<Void, Never> { completionTask(of: viewModel.load()) }
  func discardUnanswered() { viewModel.discardUnanswered() }
  func cancel() { viewModel.cancel() }
  func flush() -> Task<Void, any Error> { resultTask(of: viewModel.flush()) }
  func close() -> Task<Void, Never> { completionTask(of: viewModel.close().ignoreOutput()) }
  func start(_ intent: CartIntent) -> Task<Void, any Error> {
    switch intent {
    case .add(let product, let quantity): resultTask(of: viewModel.add(product, quantity: quantity))
    case .setQuantity(let quantity, let id): resultTask(of: viewModel.setQuantity(quantity, of: id))
    case .remove(let id): resultTask(of: viewModel.remove(id))
    }
  }
}
