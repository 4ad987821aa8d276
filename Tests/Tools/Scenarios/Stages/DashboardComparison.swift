import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

struct DashboardComparison: ComparedFeature {
  enum Intent { case load, refresh, retry(DashboardPart), retryFailed, cancel, notify }

  static let readsHaveAccounts = true
  static let variants = 1
  static let intents: [Intent] = [
    .load, .refresh, .retry(.profile), .retry(.orders), .retryFailed, .cancel, .notify, .notify,
  ]
  static let steps: [StageStep<Intent>] = [.perform(.changeAccount), .perform(.changeAccount), .leave]

  private let surroundings: Surroundings
  private let model: any DashboardDriver

  init(in surroundings: Surroundings) {
    self.surroundings = surroundings
    let services = (surroundings, surroundings, surroundings)
    model = surroundings.stage.makeDashboard(
      services: services, closures: services, reloadingAfter: .storefrontAccountDidChange,
      from: surroundings.center, isolation: surroundings.world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .retry(let part): return outcome(of: await model.retry(part))
    case .retryFailed: return outcome(of: await model.retryFailed())
    case .cancel: await model.cancel()
    case .notify: surroundings.center.post(.storefrontAccountDidChange)
    }
    return nil
  }

  var states: AsyncStream<DashboardState> { model.states() }

  static func shown(_ state: DashboardState) -> KeyValuePairs<String, Any> {
    [
      "profile": text(state.profile.content, \.line),
      "orders": text(state.orders.content) { "\($0.map(\.line))" },
      "recommendations": text(state.recommendations.content) { "\($0.map(\.line))" },
      "loads": state.loadingParts.map(\.rawValue).sorted(),
      "outdated": state.outdatedParts.map(\.rawValue).sorted(),
      "failures": state.failures.map { "\($0.rawValue): \($1)" }.sorted(),
    ]
  }
}

extension Profile {
  /// What the stages can make different.
  var line: String { "profile \(id) (\(name), \(email), version \(version))" }
}

extension Order {
  fileprivate var line: String { "order \(id) (\(itemCount) items)" }
}
