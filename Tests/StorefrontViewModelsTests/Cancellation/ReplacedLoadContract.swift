import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// In every stage and feature, a load can be replaced and cancelled, even if its service reads the state in a cancellation
/// handler.
///
/// The caller of a replaced load returns only when the replacing load has content.
@Suite("Loads that are replaced or cancelled", .timeLimit(.minutes(5)), .endsWaits)
struct ReplacedLoadContract {
  @Test(
    "a service can read the state when its request is replaced or cancelled",
    arguments: ContractStage.allCases, Feature.allCases)
  func readsState(stage: ContractStage, feature: Feature) async throws {
    try await stage.check { tracker in
      let service = ReentrantService()
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      service.onCancel { _ = operations.shown() }
      _ = await operations.begin()
      await service.waitForRequest()
      _ = await operations.replace()
      await service.waitForCancellation()
      await service.waitForRequest()
      await operations.cancel()
      await service.waitForCancellation()
      service.onCancel(nil)
    }
  }

  @Test(
    "the caller of a replaced load returns when the replacing load has content",
    arguments: ContractStage.allCases, Feature.allCases)
  func replaced(stage: ContractStage, feature: Feature) async throws {
    let service = ReentrantService()
    try await stage.check { tracker in
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      let replaced = await operations.begin()
      await service.waitForRequest()
      let replacement = await operations.replace()
      await service.waitForCancellation()
      await service.waitForRequest()
      service.answer()
      await replaced.value
      #expect(operations.shown() == feature.all(.number(1)))
      await replacement.value
    }
  }

  @Test("a service that has answered is not cancelled", arguments: ContractStage.allCases, Feature.allCases)
  func answered(stage: ContractStage, feature: Feature) async throws {
    let service = ReentrantService(answeringAtOnce: true)
    try await stage.check { tracker in
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      _ = await operations.begin()
      try await until { operations.shown() == feature.all(.number(1)) }
    }
    #expect(service.cancellationCount == 0)
  }
}
