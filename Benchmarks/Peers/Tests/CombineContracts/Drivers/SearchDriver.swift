import AsyncViewModels
import AsyncViewModelsTesting
import CombineViewModels
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension MigrationStage {
  func makeSearch<Hit: Sendable & Identifiable>(
    service: any SearchService<Hit> & SearchClosureService<Hit>, clock: VirtualClock, pageSize: Int = 50,
    isolation: (any Actor)? = nil
  ) -> any SearchDriver<Hit> where Hit.ID: Sendable {
    makeSearch(service: service, closures: service, clock: clock, pageSize: pageSize, isolation: isolation)
  }

  func makeSearch<Hit: Sendable & Identifiable>(
    service: any SearchService<Hit>, closures: any SearchClosureService<Hit>, clock: VirtualClock,
    pageSize: Int = 50, isolation: (any Actor)? = nil
  ) -> any SearchDriver<Hit> where Hit.ID: Sendable {
    if let original {
      return original.makeSearch(
        service: service, closures: closures, clock: clock, pageSize: pageSize, isolation: isolation)
    }
    return CombineSearchDriver(
      SearchCombineViewModel(service: closures, pageSize: pageSize, scheduler: VirtualScheduler(clock)))
  }
}

private struct CombineSearchDriver<Hit: Sendable & Identifiable>: SearchDriver where Hit.ID: Sendable {
  let viewModel: SearchCombineViewModel<Hit>
  private let intents = StartedIntents()
  init(_ viewModel: SearchCombineViewModel<Hit>) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: SearchState<Hit> { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<SearchState<Hit>> { stream(of: viewModel.states) }

  func submit() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.submit())) }
  func loadNextPage() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.loadNextPage())) }
  func retry() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.retry())) }
  func cancel() { viewModel.cancel() }
  func setQuery(_ query: String) { viewModel.setQuery(query) }
  func settle() async { await intents.settle() }
}
