import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the detail screen's view model of one stage, so that one test suite, the contract, can test all stages.
///
/// A method that starts a load calls an intent of the view model. In the async stage, the method returns when
/// the intent has taken effect. In the closure and stream stages, the method returns when the intent is in
/// the queue. The returned task ends when the intent ends. In the async stage, that task is the caller of the
/// intent: cancel the task to cancel the caller.
package protocol DetailDriver<Item>: Sendable {
  associatedtype Item: Sendable & Identifiable where Item.ID: Sendable

  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: DetailState<Item> { get }
  func states() -> AsyncStream<DetailState<Item>>
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  func cancel() async

  /// Returns when every started load is over.
  func settle() async
}

extension MigrationStage {
  /// Creates the view model of this stage for one item, and returns its driver. Only the async stage uses `isolation`.
  package func makeDetail<Item: Sendable & Identifiable>(
    itemID: Item.ID, source: DetailSource, service: any DetailService<Item> & DetailClosureService<Item>,
    isolation: (any Actor)? = nil
  ) -> any DetailDriver<Item> where Item.ID: Sendable {
    makeDetail(itemID: itemID, source: source, service: service, closures: service, isolation: isolation)
  }

  /// Creates the view model of this stage for one item, and returns its driver. The async stage uses `service` and
  /// `isolation`. The other stages use `closures`.
  package func makeDetail<Item: Sendable & Identifiable>(
    itemID: Item.ID, source: DetailSource, service: any DetailService<Item>,
    closures: any DetailClosureService<Item>, isolation: (any Actor)? = nil
  ) -> any DetailDriver<Item> where Item.ID: Sendable {
    switch self {
    case .closure:
      DetailClosureDriver(
        DetailClosureViewModel(
          itemID: itemID, source: source, service: closures, callbackQueue: DispatchQueue(label: "callbacks"))
      )
    case .stream:
      DetailStreamDriver(
        DetailStreamViewModel(itemID: itemID, source: source, service: closures))
    case .async:
      DetailAsyncDriver(
        DetailViewModel(itemID: itemID, source: source, service: service, isolation: isolation))
    }
  }
}

extension MigrationStage {
  /// Creates the view model of this stage for a product that follows a feed, and returns its driver. The async stage uses `service`,
  /// `feed` and `isolation`. The other stages use `closures` and `closureFeed`.
  package func makeDetail(
    itemID: CatalogProduct.ID, source: DetailSource, service: any DetailService<CatalogProduct>,
    closures: any DetailClosureService<CatalogProduct>, feed: any ProductFeed,
    closureFeed: any ProductClosureFeed, isolation: (any Actor)? = nil
  ) -> any DetailDriver<CatalogProduct> {
    switch self {
    case .closure:
      DetailClosureDriver(
        DetailClosureViewModel(
          itemID: itemID, source: source, service: closures, feed: closureFeed,
          callbackQueue: DispatchQueue(label: "callbacks")))
    case .stream:
      DetailStreamDriver(
        DetailStreamViewModel(itemID: itemID, source: source, service: closures, feed: closureFeed))
    case .async:
      DetailAsyncDriver(
        DetailViewModel(
          itemID: itemID, source: source, service: service, feed: feed, isolation: isolation))
    }
  }
}

private struct DetailAsyncDriver<Item: Sendable & Identifiable>: DetailDriver where Item.ID: Sendable {
  let viewModel: DetailViewModel<Item>
  private let intents = StartedIntents()
  init(_ viewModel: DetailViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: DetailState<Item> { viewModel.state }
  func states() -> AsyncStream<DetailState<Item>> { viewModel.states() }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func cancel() async { await viewModel.cancel() }
  func settle() async { await intents.settle() }
}

private struct DetailStreamDriver<Item: Sendable & Identifiable>: DetailDriver where Item.ID: Sendable {
  let viewModel: DetailStreamViewModel<Item>
  private let intents = StartedIntents()
  init(_ viewModel: DetailStreamViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: DetailState<Item> { viewModel.state }
  func states() -> AsyncStream<DetailState<Item>> { viewModel.states() }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}

private struct DetailClosureDriver<Item: Sendable & Identifiable>: DetailDriver where Item.ID: Sendable {
  let viewModel: DetailClosureViewModel<Item>
  private let intents = StartedIntents()
  init(_ viewModel: DetailClosureViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: DetailState<Item> { viewModel.state }
  func states() -> AsyncStream<DetailState<Item>> { boundStates { viewModel.bind($0) } }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}
