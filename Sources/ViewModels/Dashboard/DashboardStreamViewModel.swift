import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The dashboard, in the stream stage.
///
/// - Isolation: `queue` guards the requests, by convention; completions are called on `callbackQueue`; ``state`` and ``states()``
///   may be used from anywhere.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the parts' answers may come in any order.
/// - Cancellation: ``cancel()``, and the end of the view model, call off every request; after that nothing is published, even where
///   a service takes no notice.
/// - Hazards: none of the closure stage in handing out state; its intents are still completion handlers, and ``cancel()`` waits for
///   the queue, and deadlocks on it.
public final class DashboardStreamViewModel: @unchecked Sendable {
  public typealias Completion = @Sendable () -> Void

  private let liveObject = LiveObjectToken(.viewModel, "DashboardStreamViewModel")
  private let queue = DispatchQueue(label: "DashboardStreamViewModel")
  private let callbackQueue: DispatchQueue
  private let store = ObservableState(DashboardState())
  private var requests: [DashboardPart: Request] = [:]  // guarded by `queue`
  private var lastGeneration = 0  // guarded by `queue`
  private let answer: @Sendable (DashboardPart, @escaping Answering) -> CancellationToken

  private typealias Answering = @Sendable (Result<DashboardAnswer, any Error>) -> Void

  private struct Request {
    let generation: Int
    var token: CancellationToken?
    /// Those who wait for the answer. They are let go with the request, however that ends.
    var waiting: [CompletionGroup.Entry] = []
  }

  public init(
    profile: any ProfileClosureService, orders: any OrderClosureService,
    recommendations: any RecommendationClosureService, callbackQueue: DispatchQueue = .main
  ) {
    self.callbackQueue = callbackQueue
    answer = { part, completion in
      switch part {
      case .profile: profile.profile { completion($0.map { .profile($0) }) }
      case .orders: orders.orders { completion($0.map { .orders($0) }) }
      case .recommendations: recommendations.recommendations { completion($0.map { .recommendations($0) }) }
      }
    }
  }

  public var state: DashboardState { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<DashboardState> { store.stream() }

  /// Loads in parallel what there is nothing to show of yet, and joins what is under way. Each part is shown as it comes.
  ///
  /// `completion` is called once, when each of these parts has been answered or called off.
  public func load(completion: @escaping Completion = {}) { perform(.load, completion) }

  /// Loads every part anew, as ``load(completion:)`` does. What is shown stays until there is something newer, also where a part
  /// fails.
  public func refresh(completion: @escaping Completion = {}) { perform(.refresh, completion) }

  /// Loads a part whose last request failed, as ``load(completion:)`` does; else it does nothing.
  public func retry(_ part: DashboardPart, completion: @escaping Completion = {}) {
    perform(.retry(part), completion)
  }

  /// Loads every part whose last request failed, as ``load(completion:)`` does.
  public func retryFailed(completion: @escaping Completion = {}) { perform(.retryFailed, completion) }

  /// Calls off what is under way: those parts are as they were before, and nothing more is published after the call.
  public func cancel() {
    let cancelled = queue.sync { () -> [Request] in
      guard state.isLoading else { return [] }
      store.update { $0.cancel() }
      defer { requests = [:] }
      return DashboardPart.allCases.compactMap { requests[$0] }
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for the state.
    for request in cancelled { request.token?.cancel() }
  }

  // In their order: that of a dictionary is another one each time, and whoever replays a run would see it.
  deinit {
    for part in DashboardPart.allCases { requests[part] = nil }
  }

  private func perform(_ intent: DashboardIntent, _ completion: @escaping Completion) {
    queue.async { [self] in
      let parts = state.parts(of: intent)
      let unasked = parts.filter { requests[$0] == nil }
      if !unasked.isEmpty {
        store.update { $0.begin(unasked) }
        for part in unasked { request(part) }
      }
      let answers = CompletionGroup()
      for part in parts { requests[part]?.waiting.append(answers.enter()) }
      answers.notify(on: callbackQueue, completion)
    }
  }

  private func request(_ part: DashboardPart) {
    lastGeneration += 1
    requests[part] = Request(generation: lastGeneration)
    requests[part]?.token = answer(part) { [weak self, generation = lastGeneration] result in
      guard let self else { return }
      queue.async { self.receive(result, for: part, generation) }
    }
  }

  private func receive(
    _ result: Result<DashboardAnswer, any Error>, for part: DashboardPart, _ generation: Int
  ) {
    guard requests[part]?.generation == generation else { return }
    store.update { $0.receive(TaskOutcome(result), for: part) }
    requests.removeValue(forKey: part)?.token?.finish()
  }
}
