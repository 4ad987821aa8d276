import AsyncViewModels
import AsyncViewModelsGCD
package import AsyncViewModelsTesting
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the product page's view model of one stage. See ``StageDriver``.
package protocol ProductPageDriver: StageDriver where State == ProductPageState {
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>

  /// Starts to add units, and returns a task that ends with the result. In the async stage, the task is the caller of the intent.
  @discardableResult func add(quantity: Int) -> Task<Void, any Error>
  func cancel() async
}

extension ProductPageDriver {
  /// Starts to add one unit.
  @discardableResult package func add() -> Task<Void, any Error> { add(quantity: 1) }
}

extension MigrationStage {
  /// Creates the view model of this stage for one product, and returns its driver. Only the async stage uses `isolation`.
  package func makeProductPage(
    itemID: CatalogProduct.ID, source: DetailSource = .list,
    service: any DetailService<CatalogProduct> & DetailClosureService<CatalogProduct>,
    feed: (any ProductFeed & ProductClosureFeed)? = nil, cart: SharedCartDriver,
    updateInterval: Duration = .zero, clock: VirtualClock = VirtualClock(), isolation: (any Actor)? = nil
  ) -> any ProductPageDriver {
    makeProductPage(
      itemID: itemID, source: source, service: service, closures: service, feed: feed, cart: cart,
      updateInterval: updateInterval, clock: clock, isolation: isolation)
  }

  /// Creates the view model of this stage for one product, and returns its driver. The async stage uses `service` and
  /// `isolation`. The other stages use `closures`.
  package func makeProductPage(
    itemID: CatalogProduct.ID, source: DetailSource = .list, service: any DetailService<CatalogProduct>,
    closures: any DetailClosureService<CatalogProduct>,
    feed: (any ProductFeed & ProductClosureFeed)? = nil, cart: SharedCartDriver,
    updateInterval: Duration = .zero, clock: VirtualClock = VirtualClock(), isolation: (any Actor)? = nil
  ) -> any ProductPageDriver {
    let queue = DispatchQueue(label: "page callbacks")
    return switch self {
    case .closure:
      ProductPageClosureDriver(
        ProductPageClosureViewModel(
          itemID: itemID, source: source, service: closures, feed: feed, cart: cart.closures,
          updateInterval: updateInterval, scheduler: clock, callbackQueue: queue))
    case .stream:
      ProductPageStreamDriver(
        ProductPageStreamViewModel(
          itemID: itemID, source: source, service: closures, feed: feed, cart: cart.closures,
          updateInterval: updateInterval, clock: clock, callbackQueue: queue))
    case .async:
      ProductPageAsyncDriver(
        ProductPageViewModel(
          itemID: itemID, source: source, service: service, feed: feed, cart: cart.cart,
          updateInterval: updateInterval, clock: clock, isolation: isolation))
    }
  }
}

private struct ProductPageAsyncDriver: ProductPageDriver, ModelDriver {
  let viewModel: ProductPageViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductPageViewModel) { self.viewModel = viewModel }

  func load() async -> Task<Void, Never> { intents.note(await viewModel.start { await $0.load() }) }
  func refresh() async -> Task<Void, Never> { intents.note(await viewModel.start { await $0.refresh() }) }
  func add(quantity: Int) -> Task<Void, any Error> {
    startIntent { [viewModel] in try await viewModel.add(quantity: quantity) }
  }
  func cancel() async { await viewModel.cancel() }
}

private struct ProductPageStreamDriver: ProductPageDriver, ModelDriver {
  let viewModel: ProductPageStreamViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductPageStreamViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> { intents.note(completionTask { viewModel.load(completion: $0) }) }
  func refresh() -> Task<Void, Never> { intents.note(completionTask { viewModel.refresh(completion: $0) }) }
  func add(quantity: Int) -> Task<Void, any Error> {
    resultTask { viewModel.add(quantity: quantity, completion: $0) }
  }
  func cancel() { viewModel.cancel() }
}

private struct ProductPageClosureDriver: ProductPageDriver, ModelDriver {
  let viewModel: ProductPageClosureViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductPageClosureViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> { intents.note(completionTask { viewModel.load(completion: $0) }) }
  func refresh() -> Task<Void, Never> { intents.note(completionTask { viewModel.refresh(completion: $0) }) }
  func add(quantity: Int) -> Task<Void, any Error> {
    resultTask { viewModel.add(quantity: quantity, completion: $0) }
  }
  func cancel() { viewModel.cancel() }
}
