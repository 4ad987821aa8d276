import AsyncViewModels
import AsyncViewModelsSimulation
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

struct CatalogComparison: ComparedFeature {
  enum Intent { case load, refresh, cancel }

  static let variants = 1
  static let intents: [Intent] = [.load, .load, .refresh, .cancel]
  static let steps: [StageStep<Intent>] = [.perform(.changeAccount), .leave]

  private let model: any CatalogDriver<Int, CatalogProduct>

  init(in surroundings: Surroundings) {
    model = surroundings.stage.makeCatalog(
      service: surroundings, closures: surroundings, pageSize: 2, section: { $0.id.rawValue % 2 },
      isolation: surroundings.world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .cancel: await model.cancel()
    }
    return nil
  }

  var states: AsyncStream<CatalogState<Int, CatalogProduct>> { model.states() }

  static func shown(_ state: CatalogState<Int, CatalogProduct>) -> KeyValuePairs<String, Any> {
    [
      "content": text(state.content) { "\($0.sections.map(line))" },
      "request": state.pendingRequest.map { "\($0.position)" } ?? "none", "complete": state.isComplete,
      "refreshes": state.isRefreshing, "failure": text(state.failure),
    ]
  }

  private static func line(of section: CatalogState<Int, CatalogProduct>.Snapshot.Section) -> String {
    "\(section.id): \(section.items.map(\.content.line))"
  }
}
