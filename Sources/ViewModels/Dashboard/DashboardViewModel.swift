public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// The view model of the dashboard, in the async stage. See ``DashboardState``.
///
/// - Isolation: The executor of `isolation`. Use `state` and `states()` from any thread.
/// - Ordering: Intents take effect in the order in which they reach the actor.
/// - Cancellation: A cancelled caller returns early. The last one to leave a part cancels its load.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor DashboardViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<DashboardState>
  private let liveObject = LiveObjectToken(.viewModel, "DashboardViewModel")
  private let slots = DashboardParts { TaskSlot(.latest) }
  private let response: @Sendable (DashboardPart) async throws -> DashboardResponse
  private let notification: Notification.Name?
  private let source: any NotificationSource
  private var following: CancellationToken?

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameters:
  ///   - notification: Loads the parts again: see ``DashboardState``. For example
  ///     ``/Foundation/NSNotification/Name/storefrontAccountDidChange``. A service must not post it
  ///     when it responds: each load would cause another one.
  ///   - source: Posts the notifications. The dashboard registers with the first request.
  public init(
    profile: any ProfileService, orders: any OrderService, recommendations: any RecommendationService,
    reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default, isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(DashboardState(), on: isolation)
    self.notification = notification
    self.source = source
    response = { part in
      switch part {
      case .profile: .profile(try await profile.profile())
      case .orders: .orders(try await orders.orders())
      case .recommendations: .recommendations(try await recommendations.recommendations())
      }
    }
  }

  /// Loads the parts without current content. See ``DashboardState``.
  public nonisolated func load() async { await perform(.load, for: .current) }

  /// Loads every part again. See ``DashboardState``.
  public nonisolated func refresh() async { await perform(.refresh, for: .current) }

  /// Loads a part again if its last load failed. See ``DashboardState``.
  public nonisolated func retry(_ part: DashboardPart) async { await perform(.retry(part), for: .current) }

  /// Loads each part again if its last load failed. See ``DashboardState``.
  public nonisolated func retryFailed() async { await perform(.retryFailed, for: .current) }

  /// Cancels the loads. See ``DashboardState``.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    for part in DashboardPart.allCases { slots[part].cancel() }
  }

  private func perform(_ intent: DashboardIntent, for account: AccountVersion) async {
    let parts = state.parts(of: intent, for: account)
    let requests = state.requests(of: intent, for: account)
    if !requests.isEmpty {
      follow()
      store.update { $0.begin(requests, for: account) }
      // Parts of an earlier account, for which the caller does not wait.
      for part in requests where !parts.contains(part) { request(part) }
    }
    await withDiscardingTaskGroup { loads in
      for part in parts {
        let load = requests.contains(part) ? request(part) : slots[part].join()
        loads.addTask { await load.wait() }
      }
    }
  }

  @discardableResult
  private func request(_ part: DashboardPart) -> TaskSlot.Run {
    let account = state.account
    return slots[part].start(on: self) { [response] gate in
      var isDue = true
      while isDue {
        let outcome = await TaskOutcome { try await account.run { try await response(part) } }
        isDue = await gate { $0.receive(outcome, for: part) } ?? false
      }
    } onCancel: { model in
      _ = model.store.update { $0.receive(.cancelled, for: part) }
    }
  }

  /// Returns whether to load the part again, in the same run.
  private func receive(_ outcome: TaskOutcome<DashboardResponse>, for part: DashboardPart) -> Bool {
    let requests = store.update { $0.receive(outcome, for: part) }
    for other in requests where other != part { request(other) }
    return requests.contains(part)
  }

  private func follow() {
    guard let notification, following == nil else { return }
    let accounts = source.stream(of: notification, buffering: .latest) { _ in AccountVersion.current }
    following = accounts.observe(on: self) { model, account in model.receiveNotification(for: account) }
  }

  private func receiveNotification(for account: AccountVersion) {
    for part in store.update({ $0.receiveNotification(for: account) }) { request(part) }
  }
}
