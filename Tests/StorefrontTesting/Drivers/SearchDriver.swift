import AsyncViewModels
package import AsyncViewModelsTesting
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// What the search's contract needs of a stage. The async stage is its own driver; the others are put behind one.
package protocol SearchDriver<Hit>: Sendable {
  associatedtype Hit: Sendable

  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: SearchState<Hit> { get }
  func states() -> AsyncStream<SearchState<Hit>>
  func setQuery(_ query: String) async
  func submit() async
  func cancel() async
}

extension MigrationStage {
  /// The search's view model of this stage, on a service that speaks both forms, and on virtual time. Only the async stage has a host.
  package func makeSearch<Hit>(
    service: some SearchService<Hit> & SearchClosureService<Hit>, clock: VirtualClock,
    isolation: any Actor = Isolation()
  ) -> any SearchDriver<Hit> {
    switch self {
    case .closure:
      SearchClosureDriver(
        viewModel: SearchClosureViewModel(
          service: service, scheduler: clock, callbackQueue: DispatchQueue(label: "callbacks")))
    case .stream: SearchStreamDriver(viewModel: SearchStreamViewModel(service: service, scheduler: clock))
    case .async: SearchViewModel(service: service, clock: clock, isolation: isolation)
    }
  }
}

extension SearchViewModel: SearchDriver {
  package nonisolated var subject: any AnyObject & Sendable { self }
}

private struct SearchStreamDriver<Hit: Sendable>: SearchDriver {
  let viewModel: SearchStreamViewModel<Hit>

  var subject: any AnyObject & Sendable { viewModel }
  var state: SearchState<Hit> { viewModel.state }
  func states() -> AsyncStream<SearchState<Hit>> { viewModel.states() }
  func setQuery(_ query: String) { viewModel.setQuery(query) }
  func submit() { viewModel.submit() }
  func cancel() { viewModel.cancel() }
}

private struct SearchClosureDriver<Hit: Sendable>: SearchDriver {
  let viewModel: SearchClosureViewModel<Hit>

  var subject: any AnyObject & Sendable { viewModel }
  var state: SearchState<Hit> { viewModel.state }
  func states() -> AsyncStream<SearchState<Hit>> { boundStates { viewModel.bind($0) } }
  func setQuery(_ query: String) { viewModel.setQuery(query) }
  func submit() { viewModel.submit() }
  func cancel() { viewModel.cancel() }
}
