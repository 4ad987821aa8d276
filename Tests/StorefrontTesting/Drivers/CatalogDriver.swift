import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the catalog's view model of one stage.
package protocol CatalogDriver<SectionID, Item>: StageDriver where State == CatalogState<SectionID, Item> {
  associatedtype SectionID: Hashable & Comparable & Sendable
  associatedtype Item: Identifiable & Equatable & Sendable where Item.ID: Sendable

  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  func cancel() async
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
>: CatalogDriver, ModelDriver where Item.ID: Sendable {
  let viewModel: CatalogViewModel<SectionID, Item>
  let intents = StartedIntents()
  init(_ viewModel: CatalogViewModel<SectionID, Item>) { self.viewModel = viewModel }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func cancel() async { await viewModel.cancel() }
}

private struct CatalogStreamDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver, ModelDriver where Item.ID: Sendable {
  let viewModel: CatalogStreamViewModel<SectionID, Item>
  let intents = StartedIntents()
  init(_ viewModel: CatalogStreamViewModel<SectionID, Item>) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}

private struct CatalogClosureDriver<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: CatalogDriver, ModelDriver where Item.ID: Sendable {
  let viewModel: CatalogClosureViewModel<SectionID, Item>
  let intents = StartedIntents()
  init(_ viewModel: CatalogClosureViewModel<SectionID, Item>) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}
