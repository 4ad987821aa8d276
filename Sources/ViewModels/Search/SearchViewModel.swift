public import AsyncViewModels
public import StorefrontDomain

/// The view model of a search-as-you-type screen with pages of hits, in the async stage: an actor with async methods.
///
/// - Isolation: Answers are recorded on the executor of the host, the actor that is passed as `isolation`. Intents, the methods
///   that ask the view model to act, are nonisolated: they take effect on the caller's thread, before they return or first suspend.
///   Use `state` and `states()` from any thread.
/// - Ordering: The latest query wins. The answer to an earlier query, also with a next page, is never shown, even if the service
///   ignores cancellation. The callers of an earlier request wait for the newer search.
/// - Cancellation: A newer query, ``cancel()`` and the release of the view model cancel the running request. After ``cancel()``
///   returns, the answer is not shown. A cancelled caller of ``submit()``, ``loadNextPage()`` or ``retry()`` returns without
///   waiting for the service. Its request is then cancelled, unless another caller waits for the request, or the request has replaced
///   an unanswered search of ``setQuery(_:)``.
/// - Hazards: None of the hazards of the closure and stream stages: the compiler checks the isolation, and no call waits for a
///   queue.
public actor SearchViewModel<Hit: Sendable & Identifiable>: ViewModelActor where Hit.ID: Sendable {
  public nonisolated let hosted: HostedState<SearchState<Hit>>
  private let liveObject = LiveObjectToken(.viewModel, "SearchViewModel")
  private let service: any SearchService<Hit>
  private let pause: Duration
  private let clock: any Clock<Duration>
  private let slot = TaskSlot(.latest)

  /// Creates a view model with an empty query.
  ///
  /// - Parameters:
  ///   - pageSize: The number of hits of a full page.
  ///   - pause: How long the user must stop typing before the service is called.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any SearchService<Hit>, pageSize: Int = 50, pause: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock(), isolation: (any Actor)? = nil
  ) {
    hosted = HostedState(SearchState(pageSize: pageSize), on: isolation)
    self.service = service
    self.pause = pause
    self.clock = clock
  }

  /// Searches for `query` after a pause in the typing. The initializer sets the length of the pause. An empty query cancels the
  /// search and clears the results. Typing the query of the hits again does not disturb the load of their next page; every other
  /// query cancels it. The same query again changes nothing while it is being searched for, or while its answer is shown.
  /// Otherwise, it is searched for again.
  public nonisolated func setQuery(_ query: String) {
    _ = take(advance { $0.setQuery(query) }, after: pause)
  }

  /// Searches for the current query without a pause. Use this method when the user presses the return key. Cancels the load of a
  /// next page. Does nothing if the query is empty.
  public nonisolated func submit() async {
    await take(advance { $0.submit() }, after: .zero)?.wait()
  }

  /// Loads the next page of the hits on the screen, and appends it. If a next page is being loaded, joins that load instead of
  /// sending another request. Does nothing during a search, without hits, at the end of the hits, and after the cursor of the next
  /// page has expired.
  public nonisolated func loadNextPage() async {
    await take(advance { $0.loadNextPage() }, after: .zero)?.wait()
  }

  /// Requests what has failed: the search, without a pause, or the next page of the hits. If the cursor of that page has expired,
  /// searches again, in place of the hits. If a next page is being loaded, joins that load. Does nothing during a search, and if
  /// nothing has failed.
  public nonisolated func retry() async {
    await take(advance { $0.retry() }, after: .zero)?.wait()
  }

  /// Cancels the search or the load of the next page, if any. The last answer stays.
  public nonisolated func cancel() {
    _ = take(advance { $0.cancel() }, after: .zero)
  }

  /// Returns the next step after an intent. If the intent changes nothing, publishes no state.
  private nonisolated func advance(_ intent: (inout SearchState<Hit>) -> SearchStep) -> SearchStep {
    state.step(ifUnchangedBy: intent) ?? store.update(intent)
  }

  private nonisolated func take(_ step: SearchStep, after pause: Duration) -> TaskSlot.Run? {
    switch step {
    case .none: return nil
    case .cancel(let number):
      slot.cancel(at: number)
      return nil
    // Another thread may not have started the joined request yet. The slot starts a request only once.
    case .search(let request), .join(let request):
      return slot.start(at: request.number, on: self) { [service, clock] in
        if pause > .zero { try await clock.sleep(for: min(pause, .longestDelay)) }
        return try await service.results(for: request.query, page: request.page)
      } commit: { model, outcome in
        model.store.update { $0.receive(outcome, for: request) }
      }
    }
  }
}
