import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels
import Synchronization

/// What the list's contract needs of a stage.
package protocol ListDriver<Item>: Sendable {
  associatedtype Item: Sendable & Identifiable where Item.ID: Sendable

  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: ListState<Item> { get }
  func states() -> AsyncStream<ListState<Item>>
  func load() async
  func refresh() async
  func loadNextPage() async
  func retry() async
  func cancel() async

  /// Returns when every answer that was given has been taken in or thrown away. To be used while nothing is on its way.
  func settle() async
}

extension MigrationStage {
  /// The list's view model of this stage, on a service that speaks both forms. Only the async stage has a host.
  package func makeList<Item: Sendable & Identifiable>(
    service: any PageService<Item> & PageClosureService<Item>, pageSize: Int,
    isolation: any Actor = Isolation()
  ) -> any ListDriver<Item> where Item.ID: Sendable {
    switch self {
    case .closure:
      let queue = DispatchQueue(label: "callbacks")
      return ListClosureDriver(
        viewModel: ListClosureViewModel(service: service, pageSize: pageSize, callbackQueue: queue))
    case .stream:
      return ListStreamDriver(viewModel: ListStreamViewModel(service: service, pageSize: pageSize))
    case .async:
      return ListAsyncDriver(ListViewModel(service: service, pageSize: pageSize, isolation: isolation))
    }
  }
}

private final class ListAsyncDriver<Item: Sendable & Identifiable>: ListDriver where Item.ID: Sendable {
  let viewModel: ListViewModel<Item>
  private let runs = Mutex<[Task<Void, Never>]>([])
  init(_ viewModel: ListViewModel<Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ListState<Item> { viewModel.state }
  func states() -> AsyncStream<ListState<Item>> { viewModel.states() }

  func load() async { note(await viewModel.load()) }
  func refresh() async { note(await viewModel.refresh()) }
  func loadNextPage() async { note(await viewModel.loadNextPage()) }
  func retry() async { note(await viewModel.retry()) }
  func cancel() async { await viewModel.cancel() }

  func settle() async {
    for run in runs.withLock({ $0 }) {
      // A test that runs out of time ends, although a call stays without an answer.
      await withTaskCancellationHandler {
        await run.value
      } onCancel: {
        run.cancel()
      }
    }
  }

  private func note(_ run: Task<Void, Never>) { runs.withLock { $0.append(run) } }
}

private struct ListStreamDriver<Item: Sendable & Identifiable>: ListDriver where Item.ID: Sendable {
  let viewModel: ListStreamViewModel<Item>

  var subject: any AnyObject & Sendable { viewModel }
  var state: ListState<Item> { viewModel.state }
  func states() -> AsyncStream<ListState<Item>> { viewModel.states() }

  func load() async { viewModel.load() }
  func refresh() async { viewModel.refresh() }
  func loadNextPage() async { viewModel.loadNextPage() }
  func retry() async { viewModel.retry() }
  func cancel() async { viewModel.cancel() }

  /// Where nothing is on its way, cancelling does no more than wait for the queue.
  func settle() async { viewModel.cancel() }
}

private struct ListClosureDriver<Item: Sendable & Identifiable>: ListDriver where Item.ID: Sendable {
  let viewModel: ListClosureViewModel<Item>

  var subject: any AnyObject & Sendable { viewModel }
  var state: ListState<Item> { viewModel.state }
  func states() -> AsyncStream<ListState<Item>> { boundStates { viewModel.bind($0) } }

  func load() async { viewModel.load() }
  func refresh() async { viewModel.refresh() }
  func loadNextPage() async { viewModel.loadNextPage() }
  func retry() async { viewModel.retry() }
  func cancel() async { viewModel.cancel() }

  /// Where nothing is on its way, cancelling does no more than wait for the queue.
  func settle() async { viewModel.cancel() }
}
