public import AsyncViewModelsGCD
public import Dispatch
public import Foundation
public import StorefrontDomain

/// The view model of the dashboard, in the closure stage: completion handlers and one observer.
///
/// - Isolation: The private serial `queue` guards the requests; the compiler does not check this. The observer and
///   the completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``cancel()`` takes
///   effect before it returns. All other intents take effect asynchronously. The services may answer in any order. If a new request
///   replaces a running one, the answer to the old request is dropped, and the callers of both requests wait for the new one.
/// - Cancellation: After ``cancel()`` returns, the cancelled loads send no more states. The observer may still receive states that
///   were sent before. Releasing the view model cancels the requests.
/// - Hazards: There is one observer, and a new binding replaces it. Observers and completion handlers keep alive the objects that
///   they capture strongly. ``cancel()`` waits for `queue`, so it deadlocks if it is called on `queue`, for example by a service
///   that is starting a request.
public final class DashboardClosureViewModel: @unchecked Sendable {
  /// Called once, when the loads of an intent are over: each of them has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void
  private typealias AnswerHandler = @Sendable (Result<DashboardAnswer, any Error>) -> Void

  private let store = CallbackState(DashboardState())
  private let liveObject = LiveObjectToken(.viewModel, "DashboardClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let slots: DashboardParts<RequestSlot>
  private let answer: @Sendable (DashboardPart, @escaping AnswerHandler) -> CancellationToken
  private let notification: Notification.Name?
  private let source: any NotificationSource
  private var following: CancellationToken?  // guarded by `queue`

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Parameters:
  ///   - notification: The name of the notifications after which the dashboard loads its parts again, such as
  ///     ``/Foundation/NSNotification/Name/storefrontAccountDidChange``, or `nil` for none. A part is loaded again only if it was
  ///     requested before. A part that is being loaded is loaded once more after that, however many notifications arrive until then, and
  ///     its callers wait for this load, too. If such a load is cancelled or fails, the next ``load(completion:)`` makes up for it.
  ///     A service must not post this notification when it answers: each load would cause another one.
  ///   - source: Posts the notifications. The dashboard registers with it when it sends its first request.
  public init(
    profile: any ProfileClosureService, orders: any OrderClosureService,
    recommendations: any RecommendationClosureService, reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default, callbackQueue: DispatchQueue = .main
  ) {
    let queue = DispatchQueue(label: "DashboardClosureViewModel")
    self.queue = queue
    self.callbackQueue = callbackQueue
    self.notification = notification
    self.source = source
    slots = DashboardParts { RequestSlot(queue: queue, callbackQueue: callbackQueue) }
    answer = { part, completion in
      switch part {
      case .profile: profile.profile { completion($0.map { .profile($0) }) }
      case .orders: orders.orders { completion($0.map { .orders($0) }) }
      case .recommendations: recommendations.recommendations { completion($0.map { .recommendations($0) }) }
      }
    }
  }

  // The last reference can be released on the queue, and the source's cancellation handler may wait for the queue.
  deinit { following?.cancelOnGlobalQueue() }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  public var state: DashboardState { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(_ observer: @escaping @Sendable (DashboardState) -> Void) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Loads the parts that have no content, or content from before the latest notification, in parallel, and shows each part when it
  /// arrives. If such a part is already being loaded, joins its load instead of sending another request.
  ///
  /// `completion` is called once, when the loads of these parts are over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads every part again, in parallel, and replaces the loads that are in progress. The old content of a part stays until the
  /// new content arrives, and also if the load fails.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Loads a part again if its last load failed. If the part is already being loaded again, joins that load.
  public func retry(_ part: DashboardPart, completion: LoadCompletion? = nil) {
    perform(.retry(part), completion)
  }

  /// Loads each part again if its last load failed. If such a part is already being loaded again, joins that load.
  public func retryFailed(completion: LoadCompletion? = nil) { perform(.retryFailed, completion) }

  /// Cancels the loads in progress, if any, and restores each part to its state from before its load.
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
    let account = AccountVersion.current
    queue.async { [self] in
      let parts = state.parts(of: intent, for: account)
      let requests = state.requests(of: intent, for: account)
      if !requests.isEmpty {
        follow()
        store.update { $0.begin(requests, for: account) }
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
    let account = state.account
    slots[part].run { completion in
      account.run { answer(part, completion) }
    } receive: { [weak self] result in
      self?.receive(TaskOutcome(result), for: part)
    }
  }

  private func receive(_ outcome: TaskOutcome<DashboardAnswer>, for part: DashboardPart) {
    for part in store.update({ $0.receive(outcome, for: part) }) { request(part) }
  }

  private func follow() {
    guard let notification, following == nil else { return }
    following = source.register(for: notification, from: nil) { [weak self, queue] _ in
      let account = AccountVersion.current
      queue.async { self?.receiveNotification(for: account) }
    }
  }

  private func receiveNotification(for account: AccountVersion) {
    for part in store.update({ $0.receiveNotification(for: account) }) { request(part) }
  }
}
