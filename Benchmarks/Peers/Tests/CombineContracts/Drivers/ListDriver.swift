import AsyncViewModels
import CombineViewModels
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension MigrationStage {
  func makeList<Item: Sendable & Identifiable>(
    service: any PageService<Item> & PageClosureService<Item>, pageSize: Int
  ) -> any ListDriver<Item> where Item.ID: Sendable {
    makeList(service: service, closures: service, pageSize: pageSize)
  }

  func makeList<Item: Sendable & Identifiable>(
    service: any PageService<Item>, closures: any PageClosureService<Item>, pageSize: Int
  ) -> any ListDriver<Item> where Item.ID: Sendable {
    if let original {
      return original.makeList(service: service, closures: closures, pageSize: pageSize)
    }
    return CombineListDriver(PagedListCombineViewModel(service: closures, pageSize: pageSize))
  }

  func makeList(
    service: any PageService<CatalogProduct>, closures: any PageClosureService<CatalogProduct>,
    feed: any ProductFeed, closureFeed: any ProductClosureFeed, pageSize: Int
  ) -> any ListDriver<CatalogProduct> {
    if let original {
      return original.makeList(
        service: service, closures: closures, feed: feed, closureFeed: closureFeed, pageSize: pageSize)
    }
    return CombineListDriver(
      PagedListCombineViewModel(service: closures, feed: closureFeed, pageSize: pageSize))
  }
}

private struct CombineListDriver<Item: Sendable & Identifiable>: ListDriver where Item.ID: Sendable {
  let viewModel: PagedListCombineViewModel<Item>
  private let intents = StartedIntents()
  init(_ viewModel: PagedListCombineViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PagedListState<Item> { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<PagedListState<Item>> { stream(of: viewModel.states) }

  func load() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.load())) }
  func refresh() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.refresh())) }
  func loadNextPage() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.loadNextPage())) }
  func retry() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.retry())) }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}
