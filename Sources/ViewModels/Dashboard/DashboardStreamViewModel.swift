public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The dashboard, in the stream stage.
///
/// - Isolation: `queue` guards the requests, by convention. Completion handlers are called on `callbackQueue`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The services may answer in any order. The answer to
///   a superseded request is dropped, and its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load publishes no more states. Releasing the view model cancels the
///   requests.
/// - Hazards: None for observers. Intents still have completion handlers. ``cancel()`` waits for the queue, so it deadlocks if it
///   is called there.
public final class DashboardStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void
  private typealias AnswerHandler = @Sendable (Result<DashboardAnswer, any Error>) -> Void

  public let store = ObservableState(DashboardState())
  private let liveObject = LiveObjectToken(.viewModel, "DashboardStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let slots: DashboardParts<RequestSlot>
  private let answer: @Sendable (DashboardPart, @escaping AnswerHandler) -> CancellationToken

  /// Creates a dashboard that loads nothing until the first intent.
  public init(
    profile: any ProfileClosureService, orders: any OrderClosureService,
    recommendations: any RecommendationClosureService, callbackQueue: DispatchQueue = .main
  ) {
    let queue = DispatchQueue(label: "DashboardStreamViewModel")
    self.queue = queue
    self.callbackQueue = callbackQueue
    slots = DashboardParts { RequestSlot(queue: queue, callbackQueue: callbackQueue) }
    answer = { part, completion in
      switch part {
      case .profile: profile.profile { completion($0.map { .profile($0) }) }
      case .orders: orders.orders { completion($0.map { .orders($0) }) }
      case .recommendations: recommendations.recommendations { completion($0.map { .recommendations($0) }) }
      }
    }
  }

  /// Loads the parts that have no content, in parallel. Joins the loads in progress. Each part is shown when it arrives.
  ///
  /// `completion` is called once, when the loads of these parts are over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads every part again, in parallel, and replaces the loads in progress. The old content stays until the new content arrives,
  /// and after a failure.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Loads a part again if its last load failed.
  public func retry(_ part: DashboardPart, completion: LoadCompletion? = nil) {
    perform(.retry(part), completion)
  }

  /// Loads again each part whose last load failed.
  public func retryFailed(completion: LoadCompletion? = nil) { perform(.retryFailed, completion) }

  /// Cancels the loads in progress and restores the state before them.
  public func cancel() {
    let cancelled = queue.sync { () -> [CancellationToken] in
      guard state.isLoading else { return [] }
      store.update { $0.cancel() }
      return DashboardPart.allCases.compactMap { slots[$0].cancel() }
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    for token in cancelled { token.cancel() }
  }

  private func perform(_ intent: DashboardIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      let parts = state.parts(of: intent)
      let requests = state.requests(of: intent)
      if !requests.isEmpty {
        store.update { $0.begin(requests) }
        for part in requests { request(part) }
      }
      guard let completion else { return }
      let loads = CompletionGroup()
      for part in parts {
        let load = loads.enter()
        slots[part].notify { load.leave() }
      }
      loads.notify(on: callbackQueue, completion)
    }
  }

  private func request(_ part: DashboardPart) {
    slots[part].run {
      answer(part, $0)
    } receive: { [weak self] result in
      self?.store.update { $0.receive(TaskOutcome(result), for: part) }
    }
  }
}
