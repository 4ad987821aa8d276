import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The list of products with the services of an app.
@Suite("List: with the storefront's services", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct ListOverServicesTests {
  @Test(
    "in memory, the list can be retried after a failure and loaded to its end",
    arguments: MigrationStage.allCases)
  func inMemory(stage: MigrationStage) async throws {
    let catalog = Catalog.seeded(count: 120)
    let script = StorefrontScript()
    script.fail(.page, with: ServiceError.timedOut)
    try await LeakTracker.check { tracker in
      let model = stage.makeList(
        service: InMemoryStorefront(catalog.contents, script: script),
        closures: InMemoryClosureStorefront(catalog.contents, script: script), pageSize: 50)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      await model.load()
      let failed = try await states.first { $0.content.error != nil }
      #expect(failed.content.error as? ServiceError == .timedOut)
      await model.retry()
      for count in [50, 100, 120] {
        try await states.first { $0.items.count == count }
        await model.loadNextPage()
      }
      #expect(model.state.items == catalog.products)
      #expect(!model.state.hasMore)
    }
  }
}
