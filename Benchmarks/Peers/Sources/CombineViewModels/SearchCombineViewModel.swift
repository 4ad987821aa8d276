import AsyncViewModels
@unsafe @preconcurrency package import OpenCombine
import OpenCombineDispatch
package import StorefrontDomain
package import StorefrontViewModels

/// The view model of a search-as-you-type screen, written with Combine. See `SearchState`.
///
/// - Isolation: The queue of `store`. Publishes on this queue.
/// - Ordering: Intents take effect before they return.
/// - Cancellation: Releasing the view model cancels the request, and finishes the publishers.
/// - Hazards: A slow subscriber delays the view model.
///
/// `@unchecked Sendable`: the queue guards the subscriptions.
package final class SearchCombineViewModel<Hit: Sendable & Identifiable>: @unchecked Sendable
where Hit.ID: Sendable {
  private typealias Response = AnyPublisher<(SearchRequest, Result<Page<Hit>, any Error>), Never>

  private let store: StateSubject<SearchState<Hit>>
  /// The request to send in place of the request in flight, or `nil` to cancel that request.
  private let requests = PassthroughSubject<(search: SearchRequest, afterPause: Bool)?, Never>()
  private var cancellables: Set<AnyCancellable> = []

  /// Creates a view model. The service is called after a `pause` in the typing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  package init<Time: Scheduler>(
    service: any SearchClosureService<Hit>, pageSize: Int = 50,
    pause: Time.SchedulerTimeType.Stride = .milliseconds(300), scheduler: Time
  ) {
    let store = StateSubject(SearchState<Hit>(pageSize: pageSize), label: "SearchCombineViewModel")
    self.store = store
    requests
      .map { next -> Response in
        guard let (search, afterPause) = next else { return Empty().eraseToAnyPublisher() }
        let response = request(on: store.queue) {
          service.results(for: search.query, page: search.page, completion: $0)
        }
        .map { (search, $0) }
        guard afterPause else { return response.eraseToAnyPublisher() }
        // A debounce of one value can be cancelled by the switch. A debounce of all values cannot.
        return Just(()).append(Empty(completeImmediately: false))
          .debounce(for: pause, scheduler: scheduler).first().receive(on: store.queue.ocombine)
          .flatMap { response }.eraseToAnyPublisher()
      }
      .switchToLatest()
      .sink { search, result in store.update { $0.receive(TaskOutcome(result), for: search) } }
      .store(in: &cancellables)
  }

  deinit { store.finish() }

  package var state: SearchState<Hit> { store.value }
  package var states: AnyPublisher<SearchState<Hit>, Never> { store.states }

  package func setQuery(_ query: String) { perform(afterPause: true) { $0.setQuery(query) } }

  /// Each intent that loads returns a publisher that finishes when the request is over.
  @discardableResult
  package func submit() -> AnyPublisher<Never, Never> { perform { $0.submit() } }

  @discardableResult
  package func loadNextPage() -> AnyPublisher<Never, Never> { perform { $0.loadNextPage() } }

  @discardableResult
  package func retry() -> AnyPublisher<Never, Never> { perform { $0.retry() } }

  package func cancel() { perform { $0.cancel() } }

  @discardableResult
  private func perform(
    afterPause: Bool = false, _ intent: (inout SearchState<Hit>) -> SearchStep
  ) -> AnyPublisher<Never, Never> {
    let step = store.sync {
      // Publishes no state if the intent changes nothing.
      let step = state.step(ifUnchangedBy: intent) ?? store.update(intent)
      switch step {
      case .none, .join: break
      case .cancel: requests.send(nil)
      case .search(let search): requests.send((search, afterPause))
      }
      return step
    }
    if step == .none { return Empty().eraseToAnyPublisher() }
    return states.first { !$0.isSearching && !$0.isLoadingNextPage }.ignoreOutput().eraseToAnyPublisher()
  }
}
