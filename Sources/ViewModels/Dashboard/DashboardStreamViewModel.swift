public import AsyncViewModelsGCD
public import Dispatch
public import Foundation
public import StorefrontDomain

/// The view model of the dashboard, in the stream stage. See ``DashboardState``.
///
/// - Isolation: `queue` guards the requests. Calls handlers on `callbackQueue`.
/// - Ordering: Intents take effect in call order, ``cancel()`` before it returns.
/// - Cancellation: Releasing the view model cancels the loads. Cancelled loads publish nothing.
/// - Hazards: Handlers retain their captures. ``cancel()`` deadlocks on `queue`: in a service that
///   starts a request.
public final class DashboardStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the loads of an intent are over, or right away if there are none.
  public typealias LoadCompletion = @Sendable () -> Void
  private typealias ResponseHandler = @Sendable (Result<DashboardResponse, any Error>) -> Void

  public let store = StateStore(DashboardState())
  private let liveObject = LiveObjectToken(.viewModel, "DashboardStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let slots: DashboardParts<RequestSlot>
  private let response: @Sendable (DashboardPart, @escaping ResponseHandler) -> CancellationToken
  private let notification: Notification.Name?
  private let source: any NotificationSource
  private var following: CancellationToken?  // guarded by `queue`

  /// Creates a view model, and loads nothing. See the initializer of ``DashboardViewModel``.
  public init(
    profile: any ProfileClosureService, orders: any OrderClosureService,
    recommendations: any RecommendationClosureService, reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default, callbackQueue: DispatchQueue = .main
  ) {
    let queue = DispatchQueue(label: "DashboardStreamViewModel")
    self.queue = queue
    self.callbackQueue = callbackQueue
    self.notification = notification
    self.source = source
    slots = DashboardParts { RequestSlot(queue: queue, callbackQueue: callbackQueue) }
    response = { part, completion in
      switch part {
      case .profile: profile.profile { completion($0.map { .profile($0) }) }
      case .orders: orders.orders { completion($0.map { .orders($0) }) }
      case .recommendations: recommendations.recommendations { completion($0.map { .recommendations($0) }) }
      }
    }
  }

  deinit { following?.cancelOnGlobalQueue() }

  /// Loads the parts without current content. See ``DashboardState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads every part again. See ``DashboardState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Loads a part again if its last load failed. See ``DashboardState``.
  public func retry(_ part: DashboardPart, completion: LoadCompletion? = nil) {
    perform(.retry(part), completion)
  }

  /// Loads each part again if its last load failed. See ``DashboardState``.
  public func retryFailed(completion: LoadCompletion? = nil) { perform(.retryFailed, completion) }

  /// Cancels the loads. See ``DashboardState``.
  public func cancel() {
    DashboardPart.allCases.map { slots[$0] }.cancel { store.update { $0.cancel() } }
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
      account.run { response(part, completion) }
    } receive: { [weak self] result in
      self?.receive(TaskOutcome(result), for: part)
    }
  }

  private func receive(_ outcome: TaskOutcome<DashboardResponse>, for part: DashboardPart) {
    for part in store.update({ $0.receive(outcome, for: part) }) { request(part) }
  }

  private func follow() {
    guard let notification, following == nil else { return }
    let accounts = source.stream(of: notification, buffering: .latest) { _ in AccountVersion.current }
    following = accounts.observe(on: queue) { [weak self] in self?.receiveNotification(for: $0) }
  }

  private func receiveNotification(for account: AccountVersion) {
    for part in store.update({ $0.receiveNotification(for: account) }) { request(part) }
  }
}
