package import AsyncViewModels
import Dispatch
package import Foundation
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the dashboard's view model of one stage.
package protocol DashboardDriver: StageDriver where State == DashboardState {
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  @discardableResult func retry(_ part: DashboardPart) async -> Task<Void, Never>
  @discardableResult func retryFailed() async -> Task<Void, Never>
  func cancel() async
}

extension MigrationStage {
  /// Creates the dashboard's view model of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makeDashboard(
    profile: any ProfileService & ProfileClosureService, orders: any OrderService & OrderClosureService,
    recommendations: any RecommendationService & RecommendationClosureService,
    reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default, isolation: (any Actor)? = nil
  ) -> any DashboardDriver {
    makeDashboard(
      services: (profile, orders, recommendations), closures: (profile, orders, recommendations),
      reloadingAfter: notification, from: source, isolation: isolation)
  }

  /// Creates the dashboard's view model of this stage, and returns its driver. The async stage uses `services` and
  /// `isolation`. The other stages use `closures`.
  package func makeDashboard(
    services: (any ProfileService, any OrderService, any RecommendationService),
    closures: (any ProfileClosureService, any OrderClosureService, any RecommendationClosureService),
    reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default, isolation: (any Actor)? = nil
  ) -> any DashboardDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      DashboardClosureDriver(
        DashboardClosureViewModel(
          profile: closures.0, orders: closures.1, recommendations: closures.2, reloadingAfter: notification,
          from: source, callbackQueue: queue))
    case .stream:
      DashboardStreamDriver(
        DashboardStreamViewModel(
          profile: closures.0, orders: closures.1, recommendations: closures.2, reloadingAfter: notification,
          from: source, callbackQueue: queue))
    case .async:
      DashboardAsyncDriver(
        DashboardViewModel(
          profile: services.0, orders: services.1, recommendations: services.2, reloadingAfter: notification,
          from: source, isolation: isolation))
    }
  }
}

private struct DashboardAsyncDriver: DashboardDriver, ModelDriver {
  let viewModel: DashboardViewModel
  let intents = StartedIntents()
  init(_ viewModel: DashboardViewModel) { self.viewModel = viewModel }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func retry(_ part: DashboardPart) async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.retry(part) })
  }
  func retryFailed() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.retryFailed() })
  }
  func cancel() async { await viewModel.cancel() }
}

private struct DashboardStreamDriver: DashboardDriver, ModelDriver {
  let viewModel: DashboardStreamViewModel
  let intents = StartedIntents()
  init(_ viewModel: DashboardStreamViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func retry(_ part: DashboardPart) -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(part, completion: $0) })
  }
  func retryFailed() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retryFailed(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}

private struct DashboardClosureDriver: DashboardDriver, ModelDriver {
  let viewModel: DashboardClosureViewModel
  let intents = StartedIntents()
  init(_ viewModel: DashboardClosureViewModel) { self.viewModel = viewModel }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func retry(_ part: DashboardPart) -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retry(part, completion: $0) })
  }
  func retryFailed() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.retryFailed(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
}
