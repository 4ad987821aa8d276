import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// In every stage and feature, a load can be replaced and cancelled, even if its service reads the state in a cancellation
/// handler.
///
/// The caller of a replaced load returns only when the replacing load has content.
@Suite("Loads that are replaced or cancelled", .timeLimit(.minutes(1)))
struct ReplacedLoadContract {
  @Test(
    "a service can read the state when its request is replaced or cancelled",
    arguments: MigrationStage.allCases, Feature.allCases)
  func readsState(stage: MigrationStage, feature: Feature) async throws {
    try await LeakTracker.check { tracker in
      let service = ReentrantService()
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      service.onCancel(operations.readState)
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
    arguments: MigrationStage.allCases, Feature.allCases)
  func replaced(stage: MigrationStage, feature: Feature) async throws {
    let service = ReentrantService()
    try await LeakTracker.check { tracker in
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      let replaced = await operations.begin()
      await service.waitForRequest()
      let replacement = await operations.replace()
      await service.waitForCancellation()
      await service.waitForRequest()
      service.answer()
      await replaced.value
      #expect(operations.isDone())
      await replacement.value
    }
  }

  @Test("a service that has answered is not cancelled", arguments: MigrationStage.allCases, Feature.allCases)
  func answered(stage: MigrationStage, feature: Feature) async throws {
    let service = ReentrantService(answeringAtOnce: true)
    try await LeakTracker.check { tracker in
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      _ = await operations.begin()
      while !operations.isDone() { await Task.yield() }
    }
    #expect(service.cancellationCount == 0)
  }
}

/// A feature that loads from a service, with the intents that replace or cancel its request.
enum Feature: CaseIterable, Sendable {
  case list, catalog, search, posts, detail, profile, dashboard

  struct Operations {
    let subject: any AnyObject & Sendable
    let readState: @Sendable () -> Void
    let isDone: () -> Bool
    let begin: () async -> Task<Void, Never>
    /// Replaces the requests in progress.
    let replace: () async -> Task<Void, Never>
    let cancel: () async -> Void
  }

  func makeOperations(_ stage: MigrationStage, _ service: ReentrantService) -> Operations {
    switch self {
    case .list:
      let model = stage.makeList(service: service, pageSize: 2)
      return Operations(
        subject: model.subject, readState: { _ = model.state }, isDone: { model.state.content.value != nil },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .catalog:
      let model = stage.makeCatalog(service: service, pageSize: 2) { $0.text }
      return Operations(
        subject: model.subject, readState: { _ = model.state }, isDone: { model.state.isComplete },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .search:
      let model = stage.makeSearch(service: service, clock: VirtualClock())
      return Operations(
        subject: model.subject, readState: { _ = model.state }, isDone: { model.state.results.isEmpty },
        begin: {
          model.setQuery("tea")
          return model.submit()
        },
        replace: {
          model.setQuery("teapot")
          return model.submit()
        }, cancel: model.cancel)
    case .posts:
      let model = stage.makePosts(service: service)
      return Operations(
        subject: model.subject, readState: { _ = model.state }, isDone: { model.state.content.isEmpty },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .detail:
      let model = stage.makeDetail(itemID: 1, source: .list, service: service)
      return Operations(
        subject: model.subject, readState: { _ = model.state }, isDone: { model.state.content.value != nil },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .profile:
      let model = stage.makeProfile(service: service)
      return Operations(
        subject: model.subject, readState: { _ = model.state }, isDone: { model.state.content.value != nil },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .dashboard:
      let model = stage.makeDashboard(profile: service, orders: service, recommendations: service)
      return Operations(
        subject: model.subject, readState: { _ = model.state },
        isDone: { model.state.profile.value != nil && !model.state.isLoading },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    }
  }
}
