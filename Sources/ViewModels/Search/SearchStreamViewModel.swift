import Dispatch
public import Domain

/// Search as the user types, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: the latest query wins; an answer to an earlier one is never published, even from a service that ignores cancellation.
/// - Cancellation: a newer query, ``cancel()`` and the view model's end cancel the request. After ``cancel()`` nothing more is published.
/// - Hazards: none of the closure stage in handing out state; what the queue guards is still a matter of discipline.
public final class SearchStreamViewModel<Hit: Sendable>: @unchecked Sendable {
  private let census = CensusEntry(.viewModel, "SearchStreamViewModel")
  private let queue = DispatchQueue(label: "SearchStreamViewModel")
  private let service: any SearchClosureService<Hit>
  private let debouncer: WorkItemDebouncer
  private let store = ObservableState(SearchState<Hit>())
  private var request: CancellationToken?  // guarded by `queue`

  /// - Parameter pause: how long the typing has to rest before the service is asked.
  public init(
    service: any SearchClosureService<Hit>, pause: Duration = .milliseconds(300),
    scheduler: any Scheduler = DispatchScheduler()
  ) {
    self.service = service
    debouncer = WorkItemDebouncer(delay: pause, queue: queue, scheduler: scheduler)
  }

  public var state: SearchState<Hit> { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<SearchState<Hit>> { store.stream() }

  /// Searches for `query` once the typing rests. An empty one resets the search.
  public func setQuery(_ query: String) {
    queue.sync { take(store.update { $0.setQuery(query) }, afterPause: true) }
  }

  /// Searches for the current query at once: the return key, or another try.
  public func submit() {
    queue.sync { take(store.update { $0.submit() }, afterPause: false) }
  }

  /// Gives up what is on its way; the last answer stays.
  public func cancel() {
    queue.sync {
      stop()
      store.update { $0.cancel() }
    }
  }

  private func take(_ step: SearchStep, afterPause: Bool) {
    switch step {
    case .nothing: break
    case .stop: stop()
    case .search(let request):
      stop()
      guard afterPause else { return search(request) }
      debouncer.submit { [weak self] in self?.search(request) }
    }
  }

  private func stop() {
    debouncer.cancel()
    request?.cancel()
    request = nil
  }

  private func search(_ request: SearchRequest) {
    self.request = service.results(for: request.query) { [weak self] result in
      self?.receive(Outcome(result), for: request)
    }
  }

  private func receive(_ outcome: Outcome<[Hit]>, for request: SearchRequest) {
    queue.async { [self] in
      guard store.value.awaits(request) else { return }
      store.update { $0.receive(outcome, for: request) }
    }
  }
}
