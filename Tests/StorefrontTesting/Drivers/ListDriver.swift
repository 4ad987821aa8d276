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
package protocol ListDriver: Sendable {
  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: ProductListState { get }
  /// Returns a new stream of states. The closure stage delivers every state to it and ignores `buffering`.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<ProductListState>
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
  package func states() -> AsyncStream<ProductListState> { states(.latest) }
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

private struct ListAsyncDriver: ListDriver {
  let viewModel: ProductListViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProductListViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProductListState { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<ProductListState> {
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

private struct ListStreamDriver: ListDriver {
  let viewModel: ProductListStreamViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProductListStreamViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProductListState { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<ProductListState> {
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

private struct ListClosureDriver: ListDriver {
  let viewModel: ProductListClosureViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProductListClosureViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProductListState { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<ProductListState> { boundStates { viewModel.bind($0) } }

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
