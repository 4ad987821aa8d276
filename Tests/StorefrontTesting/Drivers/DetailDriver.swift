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
package protocol DetailDriver: Sendable {
  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: ProductDetailState { get }
  func states() -> AsyncStream<ProductDetailState>
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  func cancel() async

  /// Returns when every started load is over.
  func settle() async
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

private struct DetailAsyncDriver: DetailDriver {
  let viewModel: ProductDetailViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProductDetailViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProductDetailState { viewModel.state }
  func states() -> AsyncStream<ProductDetailState> { viewModel.states() }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func cancel() async { await viewModel.cancel() }
  func settle() async { await intents.settle() }
}

private struct DetailStreamDriver: DetailDriver {
  let viewModel: ProductDetailStreamViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProductDetailStreamViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProductDetailState { viewModel.state }
  func states() -> AsyncStream<ProductDetailState> { viewModel.states() }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}

private struct DetailClosureDriver: DetailDriver {
  let viewModel: ProductDetailClosureViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProductDetailClosureViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProductDetailState { viewModel.state }
  func states() -> AsyncStream<ProductDetailState> { boundStates { viewModel.bind($0) } }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}
