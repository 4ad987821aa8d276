import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels
import Synchronization

/// What the catalogue's contract needs of a stage.
package protocol CatalogDriver<SectionID, Item>: Sendable {
  associatedtype SectionID: Hashable & Comparable & Sendable
  associatedtype Item: Identifiable & Equatable & Sendable where Item.ID: Sendable

  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: CatalogState<SectionID, Item> { get }
  func states() -> AsyncStream<CatalogState<SectionID, Item>>
  func load() async
  func refresh() async
  func cancel() async

  /// Returns when every answer that was given has been taken in or thrown away. To be used while nothing is on its way.
  func settle() async
}

extension MigrationStage {
  /// The catalogue's view model of this stage, on a service that speaks both forms. Only the async stage has a host.
  package func makeCatalog<
    SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
  >(
    service: any PageService<Item> & PageClosureService<Item>, pageSize: Int,
    section: @escaping @Sendable (Item) -> SectionID, isolation: any Actor = Isolation()
  ) -> any CatalogDriver<SectionID, Item> where Item.ID: Sendable {
    switch self {
    case .closure:
      let queue = DispatchQueue(label: "callbacks")
      return CatalogClosureDriver(
        viewModel: CatalogClosureViewModel(
          service: service, pageSize: pageSize, section: section, callbackQueue: queue))
    case .stream:
      return CatalogStreamDriver(
        viewModel: CatalogStreamViewModel(service: service, pageSize: pageSize, section: section))
    case .async:
      return CatalogAsyncDriver(
        CatalogViewModel(service: service, pageSize: pageSize, section: section, isolation: isolation))
    }
  }
}

private final class CatalogAsyncDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver where Item.ID: Sendable {
  let viewModel: CatalogViewModel<SectionID, Item>
  private let runs = Mutex<[Task<Void, Never>]>([])
  init(_ viewModel: CatalogViewModel<SectionID, Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: CatalogState<SectionID, Item> { viewModel.state }
  func states() -> AsyncStream<CatalogState<SectionID, Item>> { viewModel.states() }

  func load() async { note(await viewModel.load()) }
  func refresh() async { note(await viewModel.refresh()) }
  func cancel() async { await viewModel.cancel() }

  func settle() async { for run in runs.withLock({ $0 }) { await run.value } }

  private func note(_ run: Task<Void, Never>) { runs.withLock { $0.append(run) } }
}

private struct CatalogStreamDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver where Item.ID: Sendable {
  let viewModel: CatalogStreamViewModel<SectionID, Item>

  var subject: any AnyObject & Sendable { viewModel }
  var state: CatalogState<SectionID, Item> { viewModel.state }
  func states() -> AsyncStream<CatalogState<SectionID, Item>> { viewModel.states() }

  func load() async { viewModel.load() }
  func refresh() async { viewModel.refresh() }
  func cancel() async { viewModel.cancel() }

  /// Where nothing is on its way, cancelling does no more than wait for the queue.
  func settle() async { viewModel.cancel() }
}

private struct CatalogClosureDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver where Item.ID: Sendable {
  let viewModel: CatalogClosureViewModel<SectionID, Item>

  var subject: any AnyObject & Sendable { viewModel }
  var state: CatalogState<SectionID, Item> { viewModel.state }
  func states() -> AsyncStream<CatalogState<SectionID, Item>> { boundStates { viewModel.bind($0) } }

  func load() async { viewModel.load() }
  func refresh() async { viewModel.refresh() }
  func cancel() async { viewModel.cancel() }

  /// Where nothing is on its way, cancelling does no more than wait for the queue.
  func settle() async { viewModel.cancel() }
}
