public import AsyncViewModels
public import StorefrontDomain

/// Search as the user types, in the async stage.
///
/// - Isolation: The host's for answers. Every intent takes effect before it returns or suspends, on the caller's thread. Use
///   `state` and `states()` from any thread.
/// - Ordering: The latest query wins. An answer to an earlier query is never published, even if the service ignores cancellation;
///   its callers wait for the newer one.
/// - Cancellation: A newer query, ``cancel()`` and the release of the view model cancel the request. After ``cancel()`` returns,
///   the answer is not published.
/// - Hazards: None of the earlier stages: the compiler checks the isolation, and no call waits for a queue.
public actor SearchViewModel<Hit: Sendable>: ViewModelActor {
  public nonisolated let hosted: HostedState<SearchState<Hit>>
  private let liveObject = LiveObjectToken(.viewModel, "SearchViewModel")
  private let service: any SearchService<Hit>
  private let pause: Duration
  private let clock: any Clock<Duration>
  private let slot = TaskSlot(.latest)

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

  /// Searches for `query` after a pause in the typing. An empty query resets the search.
  public nonisolated func setQuery(_ query: String) {
    _ = take(store.update { $0.setQuery(query) }, after: pause)
  }

  /// Searches for the current query at once: after the return key, or to retry.
  public nonisolated func submit() async {
    await take(store.update { $0.submit() }, after: .zero)?.wait()
  }

  /// Cancels the search. The last answer stays.
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
        if pause > .zero { try await clock.sleep(for: pause) }
        return try await service.results(for: request.query)
      } commit: { model, outcome in
        model.store.update { $0.receive(outcome, for: request) }
      }
    }
  }
}
