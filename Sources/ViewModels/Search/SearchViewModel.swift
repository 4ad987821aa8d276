public import AsyncViewModels
public import StorefrontDomain

/// The view model of a search-as-you-type screen, in the async stage. See ``SearchState``.
///
/// - Isolation: Intents run on the caller's thread, responses on the executor of `isolation`.
/// - Ordering: Intents take effect before they return or first suspend.
/// - Cancellation: Releasing the view model cancels the request. A cancelled caller returns early.
///   The last caller to leave cancels its request, unless that has replaced an unanswered search of
///   ``setQuery(_:)``.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor SearchViewModel<Hit: Sendable & Identifiable>: ViewModelActor where Hit.ID: Sendable {
  public nonisolated let modelState: ModelState<SearchState<Hit>>
  private let liveObject = LiveObjectToken(.viewModel, "SearchViewModel")
  private let service: any SearchService<Hit>
  private let pause: Duration
  private let clock: any Clock<Duration>
  private let slot = TaskSlot(.latest)

  /// Creates a view model. The service is called after a `pause` in the typing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any SearchService<Hit>, pageSize: Int = 50, pause: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock(), isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(SearchState(pageSize: pageSize), on: isolation)
    self.service = service
    self.pause = pause
    self.clock = clock
  }

  /// Searches for `query` after a pause in the typing. See ``SearchState``.
  public nonisolated func setQuery(_ query: String) {
    _ = take(advance { $0.setQuery(query) }, after: pause)
  }

  /// Searches for the current query without a pause. See ``SearchState``.
  public nonisolated func submit() async {
    await take(advance { $0.submit() }, after: .zero)?.wait()
  }

  /// Loads the next page. See ``SearchState``.
  public nonisolated func loadNextPage() async {
    await take(advance { $0.loadNextPage() }, after: .zero)?.wait()
  }

  /// Repeats the request that has failed. See ``SearchState``.
  public nonisolated func retry() async {
    await take(advance { $0.retry() }, after: .zero)?.wait()
  }

  /// Cancels the request. See ``SearchState``.
  public nonisolated func cancel() {
    _ = take(advance { $0.cancel() }, after: .zero)
  }

  /// Returns the next step. Publishes no state if the intent changes nothing.
  private nonisolated func advance(_ intent: (inout SearchState<Hit>) -> SearchStep) -> SearchStep {
    state.step(ifUnchangedBy: intent) ?? store.update(intent)
  }

  private nonisolated func take(_ step: SearchStep, after pause: Duration) -> TaskSlot.Run? {
    switch step {
    case .none: return nil
    case .cancel(let number):
      slot.cancel(at: number)
      return nil
    // Another thread may not have started the joined request yet. The slot starts it only once.
    case .search(let request), .join(let request):
      return slot.start(at: request.number, after: pause, clock: clock, on: self) { [service] in
        try await service.results(for: request.query, page: request.page)
      } commit: { model, outcome in
        model.store.update { $0.receive(outcome, for: request) }
      }
    }
  }
}
