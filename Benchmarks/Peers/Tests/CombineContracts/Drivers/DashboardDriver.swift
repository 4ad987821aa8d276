import AsyncViewModels
import CombineViewModels
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension MigrationStage {
  func makeDashboard(
    profile: any ProfileService & ProfileClosureService, orders: any OrderService & OrderClosureService,
    recommendations: any RecommendationService & RecommendationClosureService,
    reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default,
    isolation: (any Actor)? = nil
  ) -> any DashboardDriver {
    makeDashboard(
      services: (profile, orders, recommendations), closures: (profile, orders, recommendations),
      reloadingAfter: notification, from: source, isolation: isolation)
  }

  func makeDashboard(
    services: (any ProfileService, any OrderService, any RecommendationService),
    closures: (any ProfileClosureService, any OrderClosureService, any RecommendationClosureService),
    reloadingAfter notification: Notification.Name? = nil,
    from source: any NotificationSource = NotificationCenter.default,
    isolation: (any Actor)? = nil
  ) -> any DashboardDriver {
    if let original {
      return original.makeDashboard(
        services: services, closures: closures, reloadingAfter: notification, from: source,
        isolation: isolation)
    }
    return CombineDashboardDriver(
      DashboardCombineViewModel(
        profile: closures.0, orders: closures.1, recommendations: closures.2, reloadingAfter: notification,
        from: source))
  }
}

private struct CombineDashboardDriver: DashboardDriver {
  let viewModel: DashboardCombineViewModel
  private let intents = StartedIntents()
  init(_ viewModel: DashboardCombineViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: DashboardState { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<DashboardState> { stream(of: viewModel.states) }

  func load() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.load())) }
  func refresh() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.refresh())) }
  func retry(_ part: DashboardPart) -> Task<Void, Never> {
    intents.note(completionTask(of: viewModel.retry(part)))
  }
  func retryFailed() -> Task<Void, Never> { intents.note(completionTask(of: viewModel.retryFailed())) }
  func cancel() { viewModel.cancel() }
  func settle() async { await intents.settle() }
}
