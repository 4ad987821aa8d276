public import AsyncViewModels
public import StorefrontDomain

/// The dashboard, in the async stage.
///
/// - Isolation: runs on its host; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order in which they reach the actor; the parts' answers may come in any order.
/// - Cancellation: ``cancel()``, and the end of the view model, call off every request; after that nothing is published, even where
///   a service takes no notice.
/// - Hazards: none of the stages before: any number of observers, and the compiler guards the state.
public actor DashboardViewModel {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "DashboardViewModel")
  private nonisolated let host: ActorHost
  private nonisolated let store = ObservableState(DashboardState())
  private let loading = TaskSlot(.concurrent)
  private let answer: @Sendable (DashboardPart) async throws -> DashboardAnswer

  public init(
    profile: any ProfileService, orders: any OrderService, recommendations: any RecommendationService,
    isolation: any Actor = Isolation()
  ) {
    host = ActorHost(isolation)
    answer = { part in
      switch part {
      case .profile: .profile(try await profile.profile())
      case .orders: .orders(try await orders.orders())
      case .recommendations: .recommendations(try await recommendations.recommendations())
      }
    }
  }

  public nonisolated var state: DashboardState { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<DashboardState> { store.stream() }

  /// Loads in parallel what there is nothing to show of yet, and joins what is under way. Each part is shown as it comes.
  ///
  /// - Returns: a task that ends when none of these parts is under way. It only waits: to cancel it stops nothing.
  @discardableResult
  public func load() -> Task<Void, Never> { perform(.load) }

  /// Loads every part anew, as ``load()`` does. What is shown stays until there is something newer, also where a part fails.
  @discardableResult
  public func refresh() -> Task<Void, Never> { perform(.refresh) }

  /// Loads a part whose last request failed, as ``load()`` does; else it does nothing.
  @discardableResult
  public func retry(_ part: DashboardPart) -> Task<Void, Never> { perform(.retry(part)) }

  /// Loads every part whose last request failed, as ``load()`` does.
  @discardableResult
  public func retryFailed() -> Task<Void, Never> { perform(.retryFailed) }

  /// Calls off what is under way: those parts are as they were before, and nothing more is published after the call.
  public func cancel() {
    guard state.isLoading else { return }
    loading.cancel()
    store.update { $0.cancel() }
  }

  private func perform(_ intent: DashboardIntent) -> Task<Void, Never> {
    let parts = state.parts(of: intent)
    let unasked = parts.filter { [loading = state.loadingParts] in !loading.contains($0) }
    if !unasked.isEmpty {
      store.update { $0.begin(unasked) }
      loading.run(
        on: self,
        inSteps: { [answer] commit in
          await unasked.runConcurrently(answer) { part, outcome in
            await commit { $0.store.update { $0.receive(outcome, for: part) } }
          }
        })
    }
    let entry = LiveObjectToken(.task, "wait for a dashboard")
    return Task { [parts = Set(parts), begun = state, states = store.values()] in
      defer { entry.end() }
      for await state in states where !state.isLoading(parts, since: begun) { return }
    }
  }
}
