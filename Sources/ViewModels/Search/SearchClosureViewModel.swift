public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// Search as the user types, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention. The observer and the completion handlers are called on
///   `callbackQueue`.
/// - Ordering: The latest query wins. An answer to an earlier query is never published, even if the service ignores cancellation;
///   its callers wait for the newer one.
/// - Cancellation: A newer query, ``cancel()`` and the release of the view model cancel the request. A state that was sent before
///   ``cancel()`` may still reach the observer.
/// - Hazards: There is one observer, and the last binding wins. ``state`` and every intent wait for the queue, so they deadlock
///   there.
public final class SearchClosureViewModel<Hit: Sendable>: @unchecked Sendable {
  /// Called once, when the search is over.
  public typealias LoadCompletion = @Sendable () -> Void

  private let liveObject = LiveObjectToken(.viewModel, "SearchClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any SearchClosureService<Hit>
  private let pause: Duration
  private let debouncer: WorkItemDebouncer
  private let slot: RequestSlot
  private let binding = CallbackState(SearchState<Hit>())
  private var current = SearchState<Hit>()  // guarded by `queue`

  /// - Parameter pause: How long the user must stop typing before the service is called.
  public init(
    service: any SearchClosureService<Hit>, pause: Duration = .milliseconds(300),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), callbackQueue: DispatchQueue = .main
  ) {
    queue = DispatchQueue(label: "SearchClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    self.pause = pause
    debouncer = WorkItemDebouncer(delay: pause, queue: queue, scheduler: scheduler)
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// The current state. Waits for the queue.
  public var state: SearchState<Hit> { queue.sync { current } }

  /// Sets the observer. It receives the current state and then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (SearchState<Hit>) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Searches for `query` after a pause in the typing. An empty query resets the search.
  public func setQuery(_ query: String) {
    perform { take(update { $0.setQuery(query) }, after: pause) }
  }

  /// Searches for the current query at once: after the return key, or to retry.
  ///
  /// `completion` is called once, when the search is over.
  public func submit(completion: LoadCompletion? = nil) {
    perform { take(update { $0.submit() }, after: .zero, completion) }
  }

  /// Cancels the search. The last answer stays.
  public func cancel() {
    perform {
      _ = update { $0.cancel() }
      return stop()
    }
  }

  /// Takes a step on the queue, and then cancels the request that the step replaces. Not on the queue: a service's cancellation
  /// handler may wait for the queue, which would deadlock.
  private func perform(_ step: () -> CancellationToken?) { queue.sync(execute: step)?.cancel() }

  private func take(
    _ step: SearchStep, after pause: Duration, _ completion: LoadCompletion? = nil
  ) -> CancellationToken? {
    switch step {
    case .none:
      slot.notify(completion)
      return nil
    case .cancel: return stop()
    case .search(let request):
      debouncer.cancel()
      let replaced = slot.cancelRequest()
      if pause > .zero {
        debouncer.submit { [weak self] in self?.search(request) }
      } else {
        search(request, completion)
      }
      return replaced
    }
  }

  private func stop() -> CancellationToken? {
    debouncer.cancel()
    return slot.cancel()
  }

  private func search(_ request: SearchRequest, _ completion: LoadCompletion? = nil) {
    slot.run(completion) {
      service.results(for: request.query, completion: $0)
    } receive: { [weak self] result in
      self?.update { $0.receive(TaskOutcome(result), for: request) }
    }
  }

  private func update<Answer>(_ change: (inout SearchState<Hit>) -> Answer) -> Answer {
    defer { binding.send(current) }
    return change(&current)
  }
}
