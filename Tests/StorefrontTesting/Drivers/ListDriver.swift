import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the list's view model of one stage. See ``StageDriver``.
package protocol ListDriver: StageDriver where State == ProductListState {
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  @discardableResult func loadNextPage() async -> Task<Void, Never>
  @discardableResult func retry() async -> Task<Void, Never>
  func cancel() async
}

extension MigrationStage {
  /// Creates the list of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makeList(
    service: any PageService<CatalogProduct> & PageClosureService<CatalogProduct>, pageSize: Int,
    isolation: (any Actor)? = nil
  ) -> any ListDriver {
    makeList(service: service, closures: service, pageSize: pageSize, isolation: isolation)
  }

  /// Creates the list of this stage, and returns its driver. The async stage uses `service`, `feed` and `isolation`. The other stages
  /// use `closures` and `closureFeed`.
  package func makeList(
    service: any PageService<CatalogProduct>, closures: any PageClosureService<CatalogProduct>,
    feed: (any ProductFeed)? = nil, closureFeed: (any ProductClosureFeed)? = nil, pageSize: Int,
    isolation: (any Actor)? = nil
  ) -> any ListDriver {
    switch self {
    case .closure:
      ListClosureDriver(
        ProductListClosureViewModel(
          service: closures, feed: closureFeed, pageSize: pageSize,
          callbackQueue: DispatchQueue(label: "callbacks")))
    case .stream:
      ListStreamDriver(ProductListStreamViewModel(service: closures, feed: closureFeed, pageSize: pageSize))
    case .async:
      ListAsyncDriver(
        ProductListViewModel(service: service, feed: feed, pageSize: pageSize, isolation: isolation))
    }
  }
}

private struct ListAsyncDriver: ListDriver, ModelDriver {
  let viewModel: ProductListViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductListViewModel) { self.viewModel = viewModel }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func loadNextPage() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.loadNextPage() })
  }
  func retry() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.retry() })
  }
  func cancel() async { await viewModel.cancel() }
}

private struct ListStreamDriver: ListDriver, ModelDriver {
  let viewModel: ProductListStreamViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductListStreamViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func loadNextPage() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.loadNextPage(completion: $0) })
  }
  func retry() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}

private struct ListClosureDriver: ListDriver, ModelDriver {
  let viewModel: ProductListClosureViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProductListClosureViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func loadNextPage() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.loadNextPage(completion: $0) })
  }
  func retry() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}
