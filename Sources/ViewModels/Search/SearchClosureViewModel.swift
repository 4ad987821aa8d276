public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// Search as the user types, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention; the observer is called on `callbackQueue`.
/// - Ordering: the latest query wins; an answer to an earlier one is never published, even from a service that ignores cancellation.
/// - Cancellation: a newer query, ``cancel()`` and the view model's end cancel the request. A state that was published before
///   ``cancel()`` may still reach the observer after it.
/// - Hazards: one observer, the last binding wins; ``state`` waits for the queue, and deadlocks on it.
public final class SearchClosureViewModel<Hit: Sendable>: @unchecked Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "SearchClosureViewModel")
  private let queue = DispatchQueue(label: "SearchClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: any SearchClosureService<Hit>
  private let debouncer: WorkItemDebouncer
  private let binding = CallbackState(SearchState<Hit>())
  private var current = SearchState<Hit>()  // guarded by `queue`
  private var request: CancellationToken?  // guarded by `queue`

  /// - Parameter pause: how long the typing has to rest before the service is asked.
  public init(
    service: any SearchClosureService<Hit>, pause: Duration = .milliseconds(300),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), callbackQueue: DispatchQueue = .main
  ) {
    self.service = service
    self.callbackQueue = callbackQueue
    debouncer = WorkItemDebouncer(delay: pause, queue: queue, scheduler: scheduler)
  }

  public var state: SearchState<Hit> { queue.sync { current } }

  /// Makes `observer` the one observer: the current state, then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (SearchState<Hit>) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Searches for `query` once the typing rests. An empty one resets the search.
  public func setQuery(_ query: String) {
    perform { take(update { $0.setQuery(query) }, afterPause: true) }
  }

  /// Searches for the current query at once: the return key, or another try.
  public func submit() {
    perform { take(update { $0.submit() }, afterPause: false) }
  }

  /// Gives up what is on its way; the last answer stays.
  public func cancel() {
    perform {
      update { $0.cancel() }
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
      guard current.awaits(request) else { return }
      self.request.take()?.finish()
      update { $0.receive(outcome, for: request) }
    }
  }

  @discardableResult
  private func update<Answer>(_ change: (inout SearchState<Hit>) -> Answer) -> Answer {
    defer { binding.send(current) }
    return change(&current)
  }
}
