import AsyncViewModelsTesting
import StorefrontTesting
import StorefrontViewModels
import Testing

@Suite("Drivers of the stages", .timeLimit(.minutes(5)), .endsWaits)
struct DriverTests {
  @Test(
    "a wait for unanswered loads ends if it is cancelled, as by the time limit of a test",
    arguments: MigrationStage.allCases)
  func cancelledSettle(stage: MigrationStage) async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedPostService()
      let model = stage.makePosts(service: service)
      tracker.track(model.subject)
      await model.load()
      let call = try await service.loads.next()
      let wait = Task { await model.settle() }
      wait.cancel()
      await wait.value
      call.succeed([])
    }
  }
}
