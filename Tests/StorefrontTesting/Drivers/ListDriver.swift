package import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the list's view model of one stage, so that one test suite, the contract, can test all stages.
///
/// A method that starts a load calls an intent of the view model. In the async stage, the method returns when
/// the intent has taken effect. In the closure and stream stages, the method returns when the intent is in
/// the queue. The returned task ends when the intent ends. In the async stage, that task is the caller of the
/// intent: cancel the task to cancel the caller.
package protocol ListDriver<Item>: Sendable {
  associatedtype Item: Sendable & Identifiable where Item.ID: Sendable

  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: PagedListState<Item> { get }
  /// Returns a new stream of states. The closure stage delivers every state to it and ignores `buffering`.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<PagedListState<Item>>
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  @discardableResult func loadNextPage() async -> Task<Void, Never>
  @discardableResult func retry() async -> Task<Void, Never>
  func cancel() async

  /// Returns when every started load is over.
  func settle() async
}

extension ListDriver {
  /// Returns a new stream of states, which may skip all but the latest one.
  package func states() -> AsyncStream<PagedListState<Item>> { states(.latest) }
}

extension MigrationStage {
  /// Creates the list's view model of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makeList<Item: Sendable & Identifiable>(
    service: any PageService<Item> & PageClosureService<Item>, pageSize: Int,
    isolation: (any Actor)? = nil
  ) -> any ListDriver<Item> where Item.ID: Sendable {
    makeList(service: service, closures: service, pageSize: pageSize, isolation: isolation)
  }

  /// Creates the list's view model of this stage, and returns its driver. The async stage uses `service` and `isolation`.
  /// The other stages use `closures`.
  package func makeList<Item: Sendable & Identifiable>(
    service: any PageService<Item>, closures: any PageClosureService<Item>, pageSize: Int,
    isolation: (any Actor)? = nil
  ) -> any ListDriver<Item> where Item.ID: Sendable {
    switch self {
    case .closure:
      let queue = DispatchQueue(label: "callbacks")
      return ListClosureDriver(
        PagedListClosureViewModel(service: closures, pageSize: pageSize, callbackQueue: queue))
    case .stream:
      return ListStreamDriver(PagedListStreamViewModel(service: closures, pageSize: pageSize))
    case .async:
      return ListAsyncDriver(PagedListViewModel(service: service, pageSize: pageSize, isolation: isolation))
    }
  }
}

extension MigrationStage {
  /// Creates a list of products of this stage that follows a feed, and returns its driver. The async stage uses `service`, `feed` and
  /// `isolation`. The other stages use `closures` and `closureFeed`.
  package func makeList(
    service: any PageService<CatalogProduct>, closures: any PageClosureService<CatalogProduct>,
    feed: any ProductFeed, closureFeed: any ProductClosureFeed, pageSize: Int,
    isolation: (any Actor)? = nil
  ) -> any ListDriver<CatalogProduct> {
    switch self {
    case .closure:
      ListClosureDriver(
        PagedListClosureViewModel(
          service: closures, feed: closureFeed, pageSize: pageSize,
          callbackQueue: DispatchQueue(label: "callbacks")))
    case .stream:
      ListStreamDriver(PagedListStreamViewModel(service: closures, feed: closureFeed, pageSize: pageSize))
    case .async:
      ListAsyncDriver(
        PagedListViewModel(service: service, feed: feed, pageSize: pageSize, isolation: isolation))
    }
  }
}

private struct ListAsyncDriver<Item: Sendable & Identifiable>: ListDriver where Item.ID: Sendable {
  let viewModel: PagedListViewModel<Item>
  private let intents = StartedIntents()
  init(_ viewModel: PagedListViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PagedListState<Item> { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<PagedListState<Item>> {
    viewModel.states(buffering)
  }

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
  func settle() async { await intents.settle() }
}

private struct ListStreamDriver<Item: Sendable & Identifiable>: ListDriver where Item.ID: Sendable {
  let viewModel: PagedListStreamViewModel<Item>
  private let intents = StartedIntents()
  init(_ viewModel: PagedListStreamViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PagedListState<Item> { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<PagedListState<Item>> {
    viewModel.states(buffering)
  }

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
  func settle() async { await intents.settle() }
}

private struct ListClosureDriver<Item: Sendable & Identifiable>: ListDriver where Item.ID: Sendable {
  let viewModel: PagedListClosureViewModel<Item>
  private let intents = StartedIntents()
  init(_ viewModel: PagedListClosureViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PagedListState<Item> { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<PagedListState<Item>> { boundStates { viewModel.bind($0) } }

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
  func settle() async { await intents.settle() }
}
