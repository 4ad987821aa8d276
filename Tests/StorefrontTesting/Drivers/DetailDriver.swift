import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels
import Synchronization

/// What the contract of a detail screen needs of a stage.
package protocol DetailDriver<Item>: Sendable {
  associatedtype Item: Sendable & Identifiable where Item.ID: Sendable

  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: DetailState<Item> { get }
  func states() -> AsyncStream<DetailState<Item>>
  func loadIfNeeded() async
  func cancel() async

  /// Returns when every answer that was given has been taken in or thrown away. To be used while nothing is on its way.
  func settle() async
}

extension MigrationStage {
  /// The view model of this stage for one item, on a service that speaks both forms. Only the async stage has a host.
  package func makeDetail<Item: Sendable & Identifiable>(
    itemID: Item.ID, source: DetailSource, service: any DetailService<Item> & DetailClosureService<Item>,
    isolation: any Actor = Isolation()
  ) -> any DetailDriver<Item> where Item.ID: Sendable {
    switch self {
    case .closure:
      DetailClosureDriver(
        viewModel: DetailClosureViewModel(
          itemID: itemID, source: source, service: service, callbackQueue: DispatchQueue(label: "callbacks")))
    case .stream:
      DetailStreamDriver(
        viewModel: DetailStreamViewModel(itemID: itemID, source: source, service: service))
    case .async:
      DetailAsyncDriver(
        DetailViewModel(itemID: itemID, source: source, service: service, isolation: isolation))
    }
  }
}

private final class DetailAsyncDriver<Item: Sendable & Identifiable>: DetailDriver where Item.ID: Sendable {
  let viewModel: DetailViewModel<Item>
  private let runs = Mutex<[Task<Void, Never>]>([])
  init(_ viewModel: DetailViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: DetailState<Item> { viewModel.state }
  func states() -> AsyncStream<DetailState<Item>> { viewModel.states() }

  func loadIfNeeded() async {
    let run = await viewModel.loadIfNeeded()
    runs.withLock { $0.append(run) }
  }
  func cancel() async { await viewModel.cancel() }

  func settle() async { for run in runs.withLock({ $0 }) { await run.value } }
}

private struct DetailStreamDriver<Item: Sendable & Identifiable>: DetailDriver where Item.ID: Sendable {
  let viewModel: DetailStreamViewModel<Item>

  var subject: any AnyObject & Sendable { viewModel }
  var state: DetailState<Item> { viewModel.state }
  func states() -> AsyncStream<DetailState<Item>> { viewModel.states() }

  func loadIfNeeded() async { viewModel.loadIfNeeded() }
  func cancel() async { viewModel.cancel() }

  /// Where nothing is on its way, cancelling does no more than wait for the queue.
  func settle() async { viewModel.cancel() }
}

private struct DetailClosureDriver<Item: Sendable & Identifiable>: DetailDriver where Item.ID: Sendable {
  let viewModel: DetailClosureViewModel<Item>

  var subject: any AnyObject & Sendable { viewModel }
  var state: DetailState<Item> { viewModel.state }
  func states() -> AsyncStream<DetailState<Item>> { boundStates { viewModel.bind($0) } }

  func loadIfNeeded() async { viewModel.loadIfNeeded() }
  func cancel() async { viewModel.cancel() }

  /// Where nothing is on its way, cancelling does no more than wait for the queue.
  func settle() async { viewModel.cancel() }
}
