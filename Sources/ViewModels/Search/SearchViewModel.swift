public import AsyncViewModels
public import StorefrontDomain

/// Search as the user types, in the async stage.
///
/// - Isolation: runs on its host; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: the latest query wins; an answer to an earlier one is never published, even from a service that ignores cancellation.
/// - Cancellation: a newer query, ``cancel()`` and the view model's end cancel the request. After ``cancel()`` nothing more is published.
/// - Hazards: none of the stages before: any number of observers, and the compiler guards the state.
public actor SearchViewModel<Hit: Sendable> {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "SearchViewModel")
  private nonisolated let host: ActorHost
  private let service: any SearchService<Hit>
  private let pause: Duration
  private let clock: any Clock<Duration>
  private nonisolated let store = ObservableState(SearchState<Hit>())
  private let search = TaskSlot(.latest)

  /// - Parameter pause: how long the typing has to rest before the service is asked.
  public init(
    service: any SearchService<Hit>, pause: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock(), isolation: any Actor = Isolation()
  ) {
    host = ActorHost(isolation)
    self.service = service
    self.pause = pause
    self.clock = clock
  }

  public nonisolated var state: SearchState<Hit> { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<SearchState<Hit>> { store.stream() }

  /// Searches for `query` once the typing rests. An empty one resets the search.
  public func setQuery(_ query: String) {
    take(store.update { $0.setQuery(query) }, after: pause)
  }

  /// Searches for the current query at once: the return key, or another try.
  public func submit() {
    take(store.update { $0.submit() }, after: .zero)
  }

  /// Gives up what is on its way; the last answer stays.
  public func cancel() {
    search.cancel()
    store.update { $0.cancel() }
  }

  private func take(_ step: SearchStep, after pause: Duration) {
    switch step {
    case .nothing: break
    case .stop: search.cancel()
    case .search(let request):
      search.run(on: self) { [service, clock] in
        if pause > .zero { try await clock.sleep(for: pause) }
        return try await service.results(for: request.query)
      } commit: { model, outcome in
        model.store.update { $0.receive(outcome, for: request) }
      }
    }
  }
}
