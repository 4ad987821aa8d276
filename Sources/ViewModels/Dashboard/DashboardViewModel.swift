public import AsyncViewModels
public import StorefrontDomain

/// The dashboard, in the async stage.
///
/// - Isolation: The host's. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor. The services may answer in any order. The answer
///   to a superseded request is dropped, and its callers wait for the newer one.
/// - Cancellation: A cancelled caller returns at once, and the load of each part is cancelled unless another caller waits for it.
///   After ``cancel()`` returns, the cancelled load publishes no more states.
/// - Hazards: None of the earlier stages: the compiler checks the isolation, and an intent returns when its parts are loaded.
public actor DashboardViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<DashboardState>
  private let liveObject = LiveObjectToken(.viewModel, "DashboardViewModel")
  private let slots = DashboardParts { TaskSlot(.latest) }
  private let answer: @Sendable (DashboardPart) async throws -> DashboardAnswer

  /// Creates a dashboard that loads nothing until the first intent.
  public init(
    profile: any ProfileService, orders: any OrderService, recommendations: any RecommendationService,
    isolation: any Actor = Isolation()
  ) {
    hosted = HostedState(DashboardState(), on: isolation)
    answer = { part in
      switch part {
      case .profile: .profile(try await profile.profile())
      case .orders: .orders(try await orders.orders())
      case .recommendations: .recommendations(try await recommendations.recommendations())
      }
    }
  }

  /// Loads the parts that have no content, in parallel. Joins the loads in progress. Each part is shown when it arrives.
  public func load() async { await perform(.load) }

  /// Loads every part again, in parallel, and replaces the loads in progress. The old content stays until the new content arrives,
  /// and after a failure.
  public func refresh() async { await perform(.refresh) }

  /// Loads a part again if its last load failed.
  public func retry(_ part: DashboardPart) async { await perform(.retry(part)) }

  /// Loads again each part whose last load failed.
  public func retryFailed() async { await perform(.retryFailed) }

  /// Cancels the loads in progress and restores the state before them.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    for part in DashboardPart.allCases { slots[part].cancel() }
  }

  private func perform(_ intent: DashboardIntent) async {
    let parts = state.parts(of: intent)
    let requests = state.requests(of: intent)
    if !requests.isEmpty { store.update { $0.begin(requests) } }
    let loads = parts.map { requests.contains($0) ? request($0) : slots[$0].join() }
    for load in loads { await load.wait() }
  }

  private func request(_ part: DashboardPart) -> TaskSlot.Run {
    slots[part].start(on: self) { [answer] in
      try await answer(part)
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome, for: part) }
    }
  }
}
