package import AsyncViewModels
package import Foundation
@unsafe @preconcurrency package import OpenCombine
import OpenCombineDispatch
package import StorefrontDomain
package import StorefrontViewModels

/// The view model of the dashboard, written with Combine. See `DashboardState`.
///
/// - Isolation: The queue of `store`. Publishes on this queue.
/// - Ordering: Intents take effect before they return.
/// - Cancellation: Releasing the view model cancels the loads, and finishes the publishers.
/// - Hazards: A slow subscriber delays the view model.
///
/// `@unchecked Sendable`: the queue guards the subscriptions.
package final class DashboardCombineViewModel: @unchecked Sendable {
  private typealias ResponseHandler = @Sendable (Result<DashboardResponse, any Error>) -> Void

  private let store = StateSubject(DashboardState(), label: "DashboardCombineViewModel")
  /// The account for which to request a part in place of its request in flight, or `nil` to cancel that request.
  private let requests = DashboardParts { PassthroughSubject<AccountVersion?, Never>() }
  private let accounts: AnyPublisher<AccountVersion, any Error>?
  private var following: AnyCancellable?
  private var cancellables: Set<AnyCancellable> = []

  /// Creates a view model, and loads nothing. See the initializer of `DashboardViewModel`.
  package init(
    profile: any ProfileClosureService, orders: any OrderClosureService,
    recommendations: any RecommendationClosureService, reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default
  ) {
    accounts = notification.map { notification in
      callbacks { receive, _ in source.register(for: notification, from: nil) { _ in receive(.current) } }
    }
    let response = { (part: DashboardPart, completion: @escaping ResponseHandler) -> CancellationToken in
      switch part {
      case .profile: profile.profile { completion($0.map { .profile($0) }) }
      case .orders: orders.orders { completion($0.map { .orders($0) }) }
      case .recommendations: recommendations.recommendations { completion($0.map { .recommendations($0) }) }
      }
    }
    DashboardPart.allCases.publisher
      .flatMap { [requests, store] part in
        requests[part]
          .map { account -> AnyPublisher<Result<DashboardResponse, any Error>, Never> in
            guard let account else { return Empty().eraseToAnyPublisher() }
            return request(on: store.queue) { completion in account.run { response(part, completion) } }
          }
          .switchToLatest()
          .map { (part, $0) }
      }
      .sink { [weak self] part, result in self?.receive(TaskOutcome(result), for: part) }
      .store(in: &cancellables)
  }

  deinit { store.finish() }

  package var state: DashboardState { store.value }
  package var states: AnyPublisher<DashboardState, Never> { store.states }

  /// Each intent that loads returns a publisher that finishes when the loads are over.
  @discardableResult
  package func load() -> AnyPublisher<Never, Never> { perform(.load) }

  @discardableResult
  package func refresh() -> AnyPublisher<Never, Never> { perform(.refresh) }

  @discardableResult
  package func retry(_ part: DashboardPart) -> AnyPublisher<Never, Never> { perform(.retry(part)) }

  @discardableResult
  package func retryFailed() -> AnyPublisher<Never, Never> { perform(.retryFailed) }

  package func cancel() {
    store.sync {
      guard state.isLoading else { return }
      store.update { $0.cancel() }
      for part in DashboardPart.allCases { requests[part].send(nil) }
    }
  }

  private func perform(_ intent: DashboardIntent) -> AnyPublisher<Never, Never> {
    let account = AccountVersion.current
    let parts = store.sync {
      let parts = state.parts(of: intent, for: account)
      let due = state.requests(of: intent, for: account)
      if !due.isEmpty {
        follow()
        store.update { $0.begin(due, for: account) }
        send(due)
      }
      return parts
    }
    return parts.publisher
      .flatMap { [states] part in states.first { !$0.loadingParts.contains(part) } }
      .ignoreOutput().eraseToAnyPublisher()
  }

  private func send(_ parts: [DashboardPart]) {
    for part in parts { requests[part].send(state.account) }
  }

  private func receive(_ outcome: TaskOutcome<DashboardResponse>, for part: DashboardPart) {
    send(store.update { $0.receive(outcome, for: part) })
  }

  private func follow() {
    guard let accounts, following == nil else { return }
    following = accounts.receive(on: store.queue.ocombine).sink { _ in
    } receiveValue: { [weak self] account in
      guard let self else { return }
      send(store.update { $0.receiveNotification(for: account) })
    }
  }
}
