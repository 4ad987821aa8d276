import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// What the dashboard's contract needs of a stage. The async stage is its own driver; the others are put behind one.
///
/// An intent returns when it has been handed over; the task that it returns ends when its parts have been answered or called off.
package protocol DashboardDriver: Sendable {
  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: DashboardState { get }
  func states() -> AsyncStream<DashboardState>
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  @discardableResult func retry(_ part: DashboardPart) async -> Task<Void, Never>
  @discardableResult func retryFailed() async -> Task<Void, Never>
  func cancel() async
}

extension MigrationStage {
  /// The dashboard's view model of this stage, on services that speak both forms. Only the async stage has a host.
  package func makeDashboard(
    profile: any ProfileService & ProfileClosureService, orders: any OrderService & OrderClosureService,
    recommendations: any RecommendationService & RecommendationClosureService,
    isolation: any Actor = Isolation()
  ) -> any DashboardDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      DashboardClosureDriver(
        viewModel: DashboardClosureViewModel(
          profile: profile, orders: orders, recommendations: recommendations, callbackQueue: queue))
    case .stream:
      DashboardStreamDriver(
        viewModel: DashboardStreamViewModel(
          profile: profile, orders: orders, recommendations: recommendations, callbackQueue: queue))
    case .async:
      DashboardViewModel(
        profile: profile, orders: orders, recommendations: recommendations, isolation: isolation)
    }
  }
}

extension DashboardViewModel: DashboardDriver {
  package nonisolated var subject: any AnyObject & Sendable { self }
}

private struct DashboardStreamDriver: DashboardDriver {
  let viewModel: DashboardStreamViewModel

  var subject: any AnyObject & Sendable { viewModel }
  var state: DashboardState { viewModel.state }
  func states() -> AsyncStream<DashboardState> { viewModel.states() }

  func load() -> Task<Void, Never> { completionTask { viewModel.load(completion: $0) } }
  func refresh() -> Task<Void, Never> { completionTask { viewModel.refresh(completion: $0) } }
  func retry(_ part: DashboardPart) -> Task<Void, Never> {
    completionTask { viewModel.retry(part, completion: $0) }
  }
  func retryFailed() -> Task<Void, Never> { completionTask { viewModel.retryFailed(completion: $0) } }
  func cancel() { viewModel.cancel() }
}

private struct DashboardClosureDriver: DashboardDriver {
  let viewModel: DashboardClosureViewModel

  var subject: any AnyObject & Sendable { viewModel }
  var state: DashboardState { viewModel.state }
  func states() -> AsyncStream<DashboardState> { boundStates { viewModel.bind($0) } }

  func load() -> Task<Void, Never> { completionTask { viewModel.load(completion: $0) } }
  func refresh() -> Task<Void, Never> { completionTask { viewModel.refresh(completion: $0) } }
  func retry(_ part: DashboardPart) -> Task<Void, Never> {
    completionTask { viewModel.retry(part, completion: $0) }
  }
  func retryFailed() -> Task<Void, Never> { completionTask { viewModel.retryFailed(completion: $0) } }
  func cancel() { viewModel.cancel() }
}

/// Starts an intent at once, and gives a task that ends when the intent has called its completion handler.
private func completionTask(of start: (@escaping @Sendable () -> Void) -> Void) -> Task<Void, Never> {
  let gate = Gate()
  start { gate.open() }
  return Task { await gate.wait() }
}
