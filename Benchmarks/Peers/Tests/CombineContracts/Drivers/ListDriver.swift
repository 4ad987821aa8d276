import AsyncViewModels
import CombineViewModels
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension MigrationStage {
  func makeList(
    service: any PageService<CatalogProduct> & PageClosureService<CatalogProduct>, pageSize: Int,
    isolation: (any Actor)? = nil
  ) -> any ListDriver {
    makeList(service: service, closures: service, pageSize: pageSize, isolation: isolation)
  }

  func makeList(
    service: any PageService<CatalogProduct>, closures: any PageClosureService<CatalogProduct>,
    feed: (any ProductFeed)? = nil, closureFeed: (any ProductClosureFeed)? = nil, pageSize: Int,
    isolation: (any Actor)? = nil
  ) -> any ListDriver {
    if let original {
      return original.makeList(
        service: service, closures: closures, feed: feed, closureFeed: closureFeed, pageSize: pageSize,
        isolation: isolation)
    }
    return CombineListDriver(
      ProductListCombineViewModel(service: closures, feed: closureFeed, pageSize: pageSize))
  }
}

private struct CombineListDriver: ListDriver {
  let viewModel: ProductListCombineViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProductListCombineViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProductListState { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<ProductListState> { stream(of: viewModel.states) }

  func load() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.load())) }
  func refresh() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.refresh())) }
  func loadNextPage() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.loadNextPage())) }
  func retry() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.retry())) }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}
