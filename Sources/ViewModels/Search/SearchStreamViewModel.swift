public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of a search-as-you-type screen with pages of hits, in the stream stage: completion handlers, and any number of
/// observers.
///
/// - Isolation: The private serial `queue` guards the request; the compiler does not check this. Completion handlers are called on
///   `callbackQueue`. Use `state` and `states()` from any thread.
/// - Ordering: Intents, the methods that ask the view model to act, take effect before they return. The latest query wins. The
///   answer to an earlier query, also with a next page, is never shown, even if the service ignores cancellation. The callers of an
///   earlier request wait for the newer search.
/// - Cancellation: A newer query, ``cancel()`` and the release of the view model cancel the running request. After ``cancel()``
///   returns, the answer is not shown.
/// - Hazards: None for observers. Completion handlers keep alive the objects that they capture strongly. Every intent waits for
///   `queue`, so it deadlocks if it is called on `queue`, for example by a service that is starting a request, or by the `deinit`
///   of a hit that a new answer replaces.
public final class SearchStreamViewModel<Hit: Sendable & Identifiable>: StateSource, @unchecked Sendable
where Hit.ID: Sendable {
  /// Called once, when the request is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: ObservableState<SearchState<Hit>>
  private let liveObject = LiveObjectToken(.viewModel, "SearchStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any SearchClosureService<Hit>
  private let pause: Duration
  private let debouncer: WorkItemDebouncer
  private let slot: RequestSlot

  /// Creates a view model with an empty query.
  ///
  /// - Parameters:
  ///   - pageSize: The number of hits of a full page.
  ///   - pause: How long the user must stop typing before the service is called.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any SearchClosureService<Hit>, pageSize: Int = 50, pause: Duration = .milliseconds(300),
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(), callbackQueue: DispatchQueue = .main
  ) {
    store = ObservableState(SearchState(pageSize: pageSize))
    queue = DispatchQueue(label: "SearchStreamViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    self.pause = pause
    debouncer = WorkItemDebouncer(delay: pause, queue: queue, scheduler: scheduler)
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Searches for `query` after a pause in the typing. The initializer sets the length of the pause. An empty query cancels the
  /// search and clears the results. Typing the query of the hits again does not disturb the load of their next page; every other
  /// query cancels it. The same query again changes nothing while it is being searched for, or while its answer is shown.
  /// Otherwise, it is searched for again.
  public func setQuery(_ query: String) {
    perform { take(advance { $0.setQuery(query) }, after: pause) }
  }

  /// Searches for the current query without a pause. Use this method when the user presses the return key. Cancels the load of a
  /// next page. Does nothing if the query is empty.
  ///
  /// `completion` is called once, when the search is over, or right away if the query is empty.
  public func submit(completion: LoadCompletion? = nil) {
    perform { take(advance { $0.submit() }, after: .zero, completion) }
  }

  /// Loads the next page of the hits on the screen, and appends it. If a next page is being loaded, joins that load instead of
  /// sending another request. Does nothing during a search, without hits, at the end of the hits, and after the cursor of the next
  /// page has expired.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to load.
  public func loadNextPage(completion: LoadCompletion? = nil) {
    perform { take(advance { $0.loadNextPage() }, after: .zero, completion) }
  }

  /// Requests what has failed: the search, without a pause, or the next page of the hits. If the cursor of that page has expired,
  /// searches again, in place of the hits. If a next page is being loaded, joins that load. Does nothing during a search, and if
  /// nothing has failed.
  ///
  /// `completion` is called once, when the request is over, or right away if there is nothing to request.
  public func retry(completion: LoadCompletion? = nil) {
    perform { take(advance { $0.retry() }, after: .zero, completion) }
  }

  /// Cancels the search or the load of the next page, if any. The last answer stays.
  public func cancel() {
    perform { take(advance { $0.cancel() }, after: .zero) }
  }

  /// Returns the next step after an intent. If the intent changes nothing, publishes no state.
  private func advance(_ intent: (inout SearchState<Hit>) -> SearchStep) -> SearchStep {
    state.step(ifUnchangedBy: intent) ?? store.update(intent)
  }

  /// Runs `step` on the queue, and then cancels the token that `step` returns, if any. The cancellation runs outside the queue: a
  /// service's cancellation handler may wait for the queue, which would deadlock.
  private func perform(_ step: () -> CancellationToken?) { queue.sync(execute: step)?.cancel() }

  private func take(
    _ step: SearchStep, after pause: Duration, _ completion: LoadCompletion? = nil
  ) -> CancellationToken? {
    switch step {
    case .none:
      // Not the slot: it would wait for the search in progress.
      if let completion { callbackQueue.async(execute: completion) }
      return nil
    case .join:
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
      service.results(for: request.query, page: request.page, completion: $0)
    } receive: { [weak self] result in
      self?.store.update { $0.receive(TaskOutcome(result), for: request) }
    }
  }
}
