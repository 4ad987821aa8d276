public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// Search as the user types, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention. Completion handlers are called on `callbackQueue`. Use `state` and
///   `states()` from any thread.
/// - Ordering: The latest query wins. An answer to an earlier query is never published, even if the service ignores cancellation;
///   its callers wait for the newer one.
/// - Cancellation: A newer query, ``cancel()`` and the release of the view model cancel the request. After ``cancel()`` returns,
///   the answer is not published.
/// - Hazards: None for observers. Every intent waits for the queue, so it deadlocks if it is called there.
public final class SearchStreamViewModel<Hit: Sendable>: StateSource, @unchecked Sendable {
  /// Called once, when the search is over.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store = ObservableState(SearchState<Hit>())
  private let liveObject = LiveObjectToken(.viewModel, "SearchStreamViewModel")
  private let queue: DispatchQueue
  private let service: any SearchClosureService<Hit>
  private let pause: Duration
  private let debouncer: WorkItemDebouncer
  private let slot: RequestSlot

  /// - Parameter pause: How long the user must stop typing before the service is called.
  public init(
    service: any SearchClosureService<Hit>, pause: Duration = .milliseconds(300),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), callbackQueue: DispatchQueue = .main
  ) {
    queue = DispatchQueue(label: "SearchStreamViewModel")
    self.service = service
    self.pause = pause
    debouncer = WorkItemDebouncer(delay: pause, queue: queue, scheduler: scheduler)
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Searches for `query` after a pause in the typing. An empty query resets the search.
  public func setQuery(_ query: String) {
    perform { take(store.update { $0.setQuery(query) }, after: pause) }
  }

  /// Searches for the current query at once: after the return key, or to retry.
  ///
  /// `completion` is called once, when the search is over.
  public func submit(completion: LoadCompletion? = nil) {
    perform { take(store.update { $0.submit() }, after: .zero, completion) }
  }

  /// Cancels the search. The last answer stays.
  public func cancel() {
    perform {
      _ = store.update { $0.cancel() }
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
      self?.store.update { $0.receive(TaskOutcome(result), for: request) }
    }
  }
}
