import AsyncViewModels
package import AsyncViewModelsTesting
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the search's view model of one stage.
///
/// Every intent takes effect before it returns.
package protocol SearchDriver<Hit>: StageDriver where State == SearchState<Hit> {
  associatedtype Hit: Sendable & Identifiable where Hit.ID: Sendable

  func setQuery(_ query: String)
  /// Submits the query, and returns a task that ends when the intent ends.
  ///
  /// In the async stage, that task is the caller of the intent: cancel the task to cancel the caller.
  @discardableResult func submit() -> Task<Void, Never>
  @discardableResult func loadNextPage() -> Task<Void, Never>
  @discardableResult func retry() -> Task<Void, Never>
  func cancel()
}

extension MigrationStage {
  /// Creates the search's view model of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makeSearch<Hit: Sendable & Identifiable>(
    service: any SearchService<Hit> & SearchClosureService<Hit>, clock: VirtualClock,
    pageSize: Int = 50, isolation: (any Actor)? = nil
  ) -> any SearchDriver<Hit> where Hit.ID: Sendable {
    makeSearch(service: service, closures: service, clock: clock, pageSize: pageSize, isolation: isolation)
  }

  /// Creates the search's view model of this stage, and returns its driver. The async stage uses `service` and `isolation`.
  /// The other stages use `closures`.
  package func makeSearch<Hit: Sendable & Identifiable>(
    service: any SearchService<Hit>, closures: any SearchClosureService<Hit>, clock: VirtualClock,
    pageSize: Int = 50, isolation: (any Actor)? = nil
  ) -> any SearchDriver<Hit> where Hit.ID: Sendable {
    switch self {
    case .closure:
      SearchClosureDriver(
        SearchClosureViewModel(
          service: closures, pageSize: pageSize, scheduler: clock,
          callbackQueue: DispatchQueue(label: "callbacks")))
    case .stream:
      SearchStreamDriver(SearchStreamViewModel(service: closures, pageSize: pageSize, scheduler: clock))
    case .async:
      SearchAsyncDriver(
        SearchViewModel(service: service, pageSize: pageSize, clock: clock, isolation: isolation))
    }
  }
}

private struct SearchAsyncDriver<Hit: Sendable & Identifiable>: SearchDriver, ModelDriver
where Hit.ID: Sendable {
  let viewModel: SearchViewModel<Hit>
  let intents = StartedIntents()
  init(_ viewModel: SearchViewModel<Hit>) { self.viewModel = viewModel }

  func submit() -> Task<Void, Never> { start { await $0.submit() } }
  func loadNextPage() -> Task<Void, Never> { start { await $0.loadNextPage() } }
  func retry() -> Task<Void, Never> { start { await $0.retry() } }
  private func start(_ intent: @escaping @Sendable (SearchViewModel<Hit>) async -> Void) -> Task<Void, Never>
  {
    let search = startIntent { [viewModel] in await intent(viewModel) }
    return intents.note(
      Task {
        await withTaskCancellationHandler {
          _ = await search.result
        } onCancel: {
          search.cancel()
        }
      })
  }
  func cancel() { viewModel.cancel() }
  func setQuery(_ query: String) { viewModel.setQuery(query) }
}

private struct SearchStreamDriver<Hit: Sendable & Identifiable>: SearchDriver, ModelDriver
where Hit.ID: Sendable {
  let viewModel: SearchStreamViewModel<Hit>
  let intents = StartedIntents()
  init(_ viewModel: SearchStreamViewModel<Hit>) { self.viewModel = viewModel }

  func submit() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.submit(completion: $0) })
  }
  func loadNextPage() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.loadNextPage(completion: $0) })
  }
  func retry() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func setQuery(_ query: String) { viewModel.setQuery(query) }
}

private struct SearchClosureDriver<Hit: Sendable & Identifiable>: SearchDriver, ModelDriver
where Hit.ID: Sendable {
  let viewModel: SearchClosureViewModel<Hit>
  let intents = StartedIntents()
  init(_ viewModel: SearchClosureViewModel<Hit>) { self.viewModel = viewModel }

  func submit() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.submit(completion: $0) })
  }
  func loadNextPage() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.loadNextPage(completion: $0) })
  }
  func retry() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func setQuery(_ query: String) { viewModel.setQuery(query) }
}
