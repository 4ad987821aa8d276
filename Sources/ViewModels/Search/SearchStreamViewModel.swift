public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of a search-as-you-type screen, in the stream stage. See ``SearchState``.
///
/// - Isolation: `queue` guards the request. Calls handlers on `callbackQueue`.
/// - Ordering: Intents take effect before they return.
/// - Cancellation: Releasing the view model cancels its request. A cancelled one publishes nothing.
/// - Hazards: Handlers retain their captures. Intents deadlock on `queue`: in a service that starts
///   a request, or in the `deinit` of a replaced hit.
public final class SearchStreamViewModel<Hit: Sendable & Identifiable>: StateSource, @unchecked Sendable
where Hit.ID: Sendable {
  /// Called once, when the request is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: StateStore<SearchState<Hit>>
  private let liveObject = LiveObjectToken(.viewModel, "SearchStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any SearchClosureService<Hit>
  private let pause: Duration
  private let debouncer: WorkItemDebouncer
  private let slot: RequestSlot

  /// Creates a view model. The service is called after a `pause` in the typing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any SearchClosureService<Hit>, pageSize: Int = 50, pause: Duration = .milliseconds(300),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), callbackQueue: DispatchQueue = .main
  ) {
    store = StateStore(SearchState(pageSize: pageSize))
    queue = DispatchQueue(label: "SearchStreamViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    self.pause = pause
    debouncer = WorkItemDebouncer(delay: pause, queue: queue, scheduler: scheduler)
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Searches for `query` after a pause in the typing. See ``SearchState``.
  public func setQuery(_ query: String) {
    perform { take(advance { $0.setQuery(query) }, after: pause) }
  }

  /// Searches for the current query without a pause. See ``SearchState``.
  public func submit(completion: LoadCompletion? = nil) {
    perform { take(advance { $0.submit() }, after: .zero, completion) }
  }

  /// Loads the next page. See ``SearchState``.
  public func loadNextPage(completion: LoadCompletion? = nil) {
    perform { take(advance { $0.loadNextPage() }, after: .zero, completion) }
  }

  /// Repeats the request that has failed. See ``SearchState``.
  public func retry(completion: LoadCompletion? = nil) {
    perform { take(advance { $0.retry() }, after: .zero, completion) }
  }

  /// Cancels the request. See ``SearchState``.
  public func cancel() {
    perform { take(advance { $0.cancel() }, after: .zero) }
  }

  /// Returns the next step. Publishes no state if the intent changes nothing.
  private func advance(_ intent: (inout SearchState<Hit>) -> SearchStep) -> SearchStep {
    state.step(ifUnchangedBy: intent) ?? store.update(intent)
  }

  /// Runs `step` on the queue. Cancels its token outside: a service's handler may wait for it.
  private func perform(_ step: () -> CancellationToken?) { queue.sync(execute: step)?.cancel() }

  private func take(
    _ step: SearchStep, after pause: Duration, _ completion: LoadCompletion? = nil
  ) -> CancellationToken? {
    switch step {
    case .none:
      // Not through the slot, which would wait for the search in progress.
      if let completion { callbackQueue.async(execute: completion) }
      return nil
    case .join:
      slot.notify(completion)
      return nil
    case .cancel: return stop()
    case .search(let search):
      debouncer.cancel()
      let replaced = slot.cancelRequest()
      if pause > .zero {
        debouncer.submit { [weak self] in self?.request(search) }
      } else {
        request(search, completion)
      }
      return replaced
    }
  }

  private func stop() -> CancellationToken? {
    debouncer.cancel()
    return slot.cancel()
  }

  private func request(_ search: SearchRequest, _ completion: LoadCompletion? = nil) {
    slot.run(completion) {
      service.results(for: search.query, page: search.page, completion: $0)
    } receive: { [weak self] result in
      self?.store.update { $0.receive(TaskOutcome(result), for: search) }
    }
  }
}
