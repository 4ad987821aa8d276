public import AsyncViewModels
public import Foundation
public import StorefrontDomain

/// The view model of the dashboard, in the async stage: an actor with async methods.
///
/// - Isolation: The view model runs on the executor of its host, the actor that is passed as `isolation`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order in which they reach the actor. The
///   services may answer in any order. If a new request replaces a running one, the answer to the old request is dropped, and the
///   callers of both requests wait for the new one.
/// - Cancellation: A cancelled caller returns without waiting for the services. The load of each part is cancelled if no other
///   caller waits for that part. After ``cancel()`` returns, the cancelled loads publish no more states.
/// - Hazards: None of the hazards of the closure and stream stages: the compiler checks the isolation, and an intent returns when
///   the loads of its parts are over.
public actor DashboardViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<DashboardState>
  private let liveObject = LiveObjectToken(.viewModel, "DashboardViewModel")
  private let slots = DashboardParts { TaskSlot(.latest) }
  private let answer: @Sendable (DashboardPart) async throws -> DashboardAnswer
  private let notification: Notification.Name?
  private let source: any NotificationSource
  private var following: CancellationToken?

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Parameters:
  ///   - notification: The name of the notifications after which the dashboard loads its parts again, such as
  ///     ``/Foundation/NSNotification/Name/storefrontAccountDidChange``, or `nil` for none. A part is loaded again only if it was
  ///     requested before. A part that is being loaded is loaded once more after that, however many notifications arrive until then, and
  ///     its callers wait for this load, too. If such a load is cancelled or fails, the next ``load()`` makes up for it. A service must
  ///     not post this notification when it answers: each load would cause another one.
  ///   - source: Posts the notifications. The dashboard registers with it when it sends its first request.
  public init(
    profile: any ProfileService, orders: any OrderService, recommendations: any RecommendationService,
    reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default, isolation: (any Actor)? = nil
  ) {
    hosted = HostedState(DashboardState(), on: isolation)
    self.notification = notification
    self.source = source
    answer = { part in
      switch part {
      case .profile: .profile(try await profile.profile())
      case .orders: .orders(try await orders.orders())
      case .recommendations: .recommendations(try await recommendations.recommendations())
      }
    }
  }

  /// Loads the parts that have no content, or content from before the latest notification, in parallel, and shows each part when it
  /// arrives. If such a part is already being loaded, joins its load instead of sending another request.
  public func load() async { await perform(.load) }

  /// Loads every part again, in parallel, and replaces the loads that are in progress. The old content of a part stays until the
  /// new content arrives, and also if the load fails.
  public func refresh() async { await perform(.refresh) }

  /// Loads a part again if its last load failed. If the part is already being loaded again, joins that load.
  public func retry(_ part: DashboardPart) async { await perform(.retry(part)) }

  /// Loads each part again if its last load failed. If such a part is already being loaded again, joins that load.
  public func retryFailed() async { await perform(.retryFailed) }

  /// Cancels the loads in progress, if any, and restores each part to its state from before its load.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    for part in DashboardPart.allCases { slots[part].cancel() }
  }

  private func perform(_ intent: DashboardIntent) async {
    let account = AccountVersion.current
    let parts = state.parts(of: intent, for: account)
    let requests = state.requests(of: intent, for: account)
    if !requests.isEmpty {
      follow()
      store.update { $0.begin(requests, for: account) }
      // Parts of an earlier account, for which the caller does not wait.
      for part in requests where !parts.contains(part) { request(part) }
    }
    let loads = parts.map { requests.contains($0) ? request($0) : slots[$0].join() }
    for load in loads { await load.wait() }
  }

  @discardableResult
  private func request(_ part: DashboardPart) -> TaskSlot.Run {
    let account = state.account
    return slots[part].start(on: self) { [answer] gate in
      var isDue = true
      while isDue {
        let outcome = TaskOutcome(await Result { try await account.run { try await answer(part) } })
        isDue = await gate { $0.receive(outcome, for: part) } ?? false
      }
    } onCancel: { model in
      _ = model.store.update { $0.receive(.cancelled, for: part) }
    }
  }

  /// Returns whether to load the part again, in the same run.
  private func receive(_ outcome: TaskOutcome<DashboardAnswer>, for part: DashboardPart) -> Bool {
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
