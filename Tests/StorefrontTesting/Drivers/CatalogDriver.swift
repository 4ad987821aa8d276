package import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the catalog's view model of one stage, so that one test suite, the contract, can test all stages.
///
/// A method that starts a load calls an intent of the view model. In the async stage, the method returns when
/// the intent has taken effect. In the closure and stream stages, the method returns when the intent is in
/// the queue. The returned task ends when the intent ends. In the async stage, that task is the caller of the
/// intent: cancel the task to cancel the caller.
package protocol CatalogDriver<SectionID, Item>: Sendable {
  associatedtype SectionID: Hashable & Comparable & Sendable
  associatedtype Item: Identifiable & Equatable & Sendable where Item.ID: Sendable

  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: CatalogState<SectionID, Item> { get }
  /// Returns a new stream of states. The closure stage delivers every state to it and ignores `buffering`.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<CatalogState<SectionID, Item>>
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  func cancel() async

  /// Returns when every started load is over.
  func settle() async
}

extension CatalogDriver {
  /// Returns a new stream of states, which may skip all but the latest one.
  package func states() -> AsyncStream<CatalogState<SectionID, Item>> { states(.latest) }
}

extension MigrationStage {
  /// Creates the catalog's view model of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makeCatalog<
    SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
  >(
    service: any PageService<Item> & PageClosureService<Item>, pageSize: Int,
    section: @escaping @Sendable (Item) -> SectionID, isolation: (any Actor)? = nil
  ) -> any CatalogDriver<SectionID, Item> where Item.ID: Sendable {
    makeCatalog(
      service: service, closures: service, pageSize: pageSize, section: section, isolation: isolation)
  }

  /// Creates the catalog's view model of this stage, and returns its driver. The async stage uses `service` and
  /// `isolation`. The other stages use `closures`.
  package func makeCatalog<
    SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
  >(
    service: any PageService<Item>, closures: any PageClosureService<Item>, pageSize: Int,
    section: @escaping @Sendable (Item) -> SectionID, isolation: (any Actor)? = nil
  ) -> any CatalogDriver<SectionID, Item> where Item.ID: Sendable {
    switch self {
    case .closure:
      let queue = DispatchQueue(label: "callbacks")
      return CatalogClosureDriver(
        CatalogClosureViewModel(
          service: closures, pageSize: pageSize, section: section, callbackQueue: queue))
    case .stream:
      return CatalogStreamDriver(
        CatalogStreamViewModel(service: closures, pageSize: pageSize, section: section))
    case .async:
      return CatalogAsyncDriver(
        CatalogViewModel(service: service, pageSize: pageSize, section: section, isolation: isolation))
    }
  }
}

private struct CatalogAsyncDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver where Item.ID: Sendable {
  let viewModel: CatalogViewModel<SectionID, Item>
  private let intents = StartedIntents()
  init(_ viewModel: CatalogViewModel<SectionID, Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: CatalogState<SectionID, Item> { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<CatalogState<SectionID, Item>> {
    viewModel.states(buffering)
  }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func cancel() async { await viewModel.cancel() }
  func settle() async { await intents.settle() }
}

private struct CatalogStreamDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver where Item.ID: Sendable {
  let viewModel: CatalogStreamViewModel<SectionID, Item>
  private let intents = StartedIntents()
  init(_ viewModel: CatalogStreamViewModel<SectionID, Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: CatalogState<SectionID, Item> { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<CatalogState<SectionID, Item>> {
    viewModel.states(buffering)
  }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}

private struct CatalogClosureDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver where Item.ID: Sendable {
  let viewModel: CatalogClosureViewModel<SectionID, Item>
  private let intents = StartedIntents()
  init(_ viewModel: CatalogClosureViewModel<SectionID, Item>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: CatalogState<SectionID, Item> { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<CatalogState<SectionID, Item>> {
    boundStates { viewModel.bind($0) }
  }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}
