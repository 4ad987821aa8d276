public import AsyncViewModels
public import StorefrontDomain

/// The view model of a search-as-you-type screen, in the async stage: an actor with async methods.
///
/// - Isolation: Answers are recorded on the executor of the host, the actor that is passed as `isolation`. Intents, the methods
///   that ask the view model to act, are nonisolated: they take effect on the caller's thread, before they return or first suspend.
///   Use `state` and `states()` from any thread.
/// - Ordering: The latest query wins. The answer to an earlier query is never shown, even if the service ignores cancellation. The
///   callers of an earlier search wait for the newer search.
/// - Cancellation: A newer query, ``cancel()`` and the release of the view model cancel the running request. After ``cancel()``
///   returns, the answer is not shown. A cancelled caller of ``submit()`` returns without waiting for the service. Its request is
///   then cancelled, unless another caller waits for the request, or the request has replaced an unanswered search of
///   ``setQuery(_:)``.
/// - Hazards: None of the hazards of the closure and stream stages: the compiler checks the isolation, and no call waits for a
///   queue.
public actor SearchViewModel<Hit: Sendable>: ViewModelActor {
  public nonisolated let hosted: HostedState<SearchState<Hit>>
  private let liveObject = LiveObjectToken(.viewModel, "SearchViewModel")
  private let service: any SearchService<Hit>
  private let pause: Duration
  private let clock: any Clock<Duration>
  private let slot = TaskSlot(.latest)

  /// Creates a view model with an empty query.
  ///
  /// - Parameter pause: How long the user must stop typing before the service is called.
  public init(
    service: any SearchService<Hit>, pause: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock(), isolation: any Actor = Isolation()
  ) {
    hosted = HostedState(SearchState(), on: isolation)
    self.service = service
    self.pause = pause
    self.clock = clock
  }

  /// Searches for `query` after a pause in the typing. The initializer sets the length of the pause. An empty query cancels the
  /// search and clears the results.
  public nonisolated func setQuery(_ query: String) {
    _ = take(store.update { $0.setQuery(query) }, after: pause)
  }

  /// Searches for the current query without a pause. Use this method when the user presses the return key, or to retry a search.
  /// Does nothing if the query is empty.
  public nonisolated func submit() async {
    await take(store.update { $0.submit() }, after: .zero)?.wait()
  }

  /// Cancels the search, if any. The last answer stays.
  public nonisolated func cancel() {
    slot.cancel(at: store.update { $0.cancel() })
  }

  private nonisolated func take(_ step: SearchStep, after pause: Duration) -> TaskSlot.Run? {
    switch step {
    case .none: return nil
    case .cancel(let number):
      slot.cancel(at: number)
      return nil
    case .search(let request):
      return slot.start(at: request.number, on: self) { [service, clock] in
        if pause > .zero { try await clock.sleep(for: min(pause, .longestDelay)) }
        return try await service.results(for: request.query)
      } commit: { model, outcome in
        model.store.update { $0.receive(outcome, for: request) }
      }
    }
  }
}
