public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The dashboard, in the closure stage.
///
/// - Isolation: `queue` guards the state and the requests, by convention. The observer and the completion handlers are called on
///   `callbackQueue`.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The services may answer in any order. The answer to
///   a superseded request is dropped, and its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load sends no more states. A state that was sent before may still
///   reach the observer. Releasing the view model cancels the requests.
/// - Hazards: There is one observer, and the last binding wins. ``state`` and ``cancel()`` wait for the queue, so they deadlock
///   there.
public final class DashboardClosureViewModel: @unchecked Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void
  private typealias AnswerHandler = @Sendable (Result<DashboardAnswer, any Error>) -> Void

  private let liveObject = LiveObjectToken(.viewModel, "DashboardClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let slots: DashboardParts<RequestSlot>
  private let binding = CallbackState(DashboardState())
  private var current = DashboardState()  // guarded by `queue`
  private let answer: @Sendable (DashboardPart, @escaping AnswerHandler) -> CancellationToken

  /// Creates a dashboard that loads nothing until the first intent.
  public init(
    profile: any ProfileClosureService, orders: any OrderClosureService,
    recommendations: any RecommendationClosureService, callbackQueue: DispatchQueue = .main
  ) {
    let queue = DispatchQueue(label: "DashboardClosureViewModel")
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

  /// The current state. Waits for the queue.
  public var state: DashboardState { queue.sync { current } }

  /// Sets the observer. It receives the current state and then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (DashboardState) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
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
      guard current.isLoading else { return [] }
      current.cancel()
      binding.send(current)
      return DashboardPart.allCases.compactMap { slots[$0].cancel() }
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    for token in cancelled { token.cancel() }
  }

  private func perform(_ intent: DashboardIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      let parts = current.parts(of: intent)
      let requests = current.requests(of: intent)
      if !requests.isEmpty {
        current.begin(requests)
        binding.send(current)
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
      self?.receive(TaskOutcome(result), for: part)
    }
  }

  private func receive(_ outcome: TaskOutcome<DashboardAnswer>, for part: DashboardPart) {
    current.receive(outcome, for: part)
    binding.send(current)
  }
}
