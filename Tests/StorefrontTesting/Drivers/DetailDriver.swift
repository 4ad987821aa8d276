import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the detail screen's view model of one stage. See ``StageDriver``.
package protocol DetailDriver: StageDriver where State == ProductDetailState {
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  func cancel() async
}

extension MigrationStage {
  /// Creates the view model of this stage for one product, and returns its driver. Only the async stage uses `isolation`.
  package func makeDetail(
    itemID: CatalogProduct.ID, source: DetailSource,
    service: any DetailService<CatalogProduct> & DetailClosureService<CatalogProduct>,
    isolation: (any Actor)? = nil
  ) -> any DetailDriver {
    makeDetail(itemID: itemID, source: source, service: service, closures: service, isolation: isolation)
  }

  /// Creates the view model of this stage for one product, and returns its driver. The async stage uses `service`, `feed` and
  /// `isolation`. The other stages use `closures` and `closureFeed`.
  package func makeDetail(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailService<CatalogProduct>,
    closures: any DetailClosureService<CatalogProduct>, feed: (any ProductFeed)? = nil,
    closureFeed: (any ProductClosureFeed)? = nil, isolation: (any Actor)? = nil
  ) -> any DetailDriver {
    switch self {
    case .closure:
      DetailClosureDriver(
        ProductDetailClosureViewModel(
          itemID: itemID, source: source, service: closures, feed: closureFeed,
          callbackQueue: DispatchQueue(label: "callbacks")))
    case .stream:
      DetailStreamDriver(
        ProductDetailStreamViewModel(itemID: itemID, source: source, service: closures, feed: closureFeed))
    case .async:
      DetailAsyncDriver(
        ProductDetailViewModel(
          itemID: itemID, source: source, service: service, feed: feed, isolation: isolation))
    }
  }
}

private struct DetailAsyncDriver: DetailDriver, ModelDriver {
  let viewModel: ProductDetailViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductDetailViewModel) { self.viewModel = viewModel }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func cancel() async { await viewModel.cancel() }
}

private struct DetailStreamDriver: DetailDriver, ModelDriver {
  let viewModel: ProductDetailStreamViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductDetailStreamViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}

private struct DetailClosureDriver: DetailDriver, ModelDriver {
  let viewModel: ProductDetailClosureViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductDetailClosureViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}
