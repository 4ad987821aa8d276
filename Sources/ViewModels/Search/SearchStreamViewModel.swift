public import AsyncViewModels
import Dispatch
public import StorefrontDomain

/// Search as the user types, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: the latest query wins; an answer to an earlier one is never published, even from a service that ignores cancellation.
/// - Cancellation: a newer query, ``cancel()`` and the view model's end cancel the request. After ``cancel()`` nothing more is published.
/// - Hazards: none of the closure stage in handing out state; what the queue guards is still a matter of discipline.
public final class SearchStreamViewModel<Hit: Sendable>: @unchecked Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "SearchStreamViewModel")
  private let queue = DispatchQueue(label: "SearchStreamViewModel")
  private let service: any SearchClosureService<Hit>
  private let debouncer: WorkItemDebouncer
  private let store = ObservableState(SearchState<Hit>())
  private var request: CancellationToken?  // guarded by `queue`

  /// - Parameter pause: how long the typing has to rest before the service is asked.
  public init(
    service: any SearchClosureService<Hit>, pause: Duration = .milliseconds(300),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler()
  ) {
    self.service = service
    debouncer = WorkItemDebouncer(delay: pause, queue: queue, scheduler: scheduler)
  }

  public var state: SearchState<Hit> { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<SearchState<Hit>> { store.stream() }

  /// Searches for `query` once the typing rests. An empty one resets the search.
  public func setQuery(_ query: String) {
    perform { take(store.update { $0.setQuery(query) }, afterPause: true) }
  }

  /// Searches for the current query at once: the return key, or another try.
  public func submit() {
    perform { take(store.update { $0.submit() }, afterPause: false) }
  }

  /// Gives up what is on its way; the last answer stays.
  public func cancel() {
    perform {
      store.update { $0.cancel() }
      return stop()
    }
  }

  /// Takes a step on the queue, and cancels what it gave up. Not on the queue: what a service does when it is cancelled is its own
  /// business, and may well ask for the state.
  private func perform(_ step: () -> CancellationToken?) { queue.sync(execute: step)?.cancel() }

  private func take(_ step: SearchStep, afterPause: Bool) -> CancellationToken? {
    switch step {
    case .nothing: return nil
    case .stop: return stop()
    case .search(let request):
      let stopped = stop()
      if afterPause { debouncer.submit { [weak self] in self?.search(request) } } else { search(request) }
      return stopped
    }
  }

  /// Returns what is left to be cancelled.
  private func stop() -> CancellationToken? {
    debouncer.cancel()
    return request.take()
  }

  private func search(_ request: SearchRequest) {
    self.request = service.results(for: request.query) { [weak self] result in
      self?.receive(TaskOutcome(result), for: request)
    }
  }

  private func receive(_ outcome: TaskOutcome<[Hit]>, for request: SearchRequest) {
    queue.async { [self] in
      guard store.value.awaits(request) else { return }
      self.request.take()?.finish()
      store.update { $0.receive(outcome, for: request) }
    }
  }
}
