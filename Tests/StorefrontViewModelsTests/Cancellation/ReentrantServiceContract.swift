import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// In every stage, a feature's service may call the view model from its cancellation handler, and is not cancelled after its answer.
@Suite("Services that read the state in a cancellation handler", .timeLimit(.minutes(1)))
struct ReentrantServiceContract {
  @Test(
    "a service can read the state when its request is replaced or cancelled",
    arguments: MigrationStage.allCases, Feature.allCases)
  func readsState(stage: MigrationStage, feature: Feature) async throws {
    try await LeakTracker.check { tracker in
      let service = ReentrantService()
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      service.onCancel(operations.readState)
      await operations.begin()
      await service.waitForRequest()
      if let replace = operations.replace {
        await replace()
        await service.waitForCancellation()
        await service.waitForRequest()
      }
      if let cancel = operations.cancel {
        await cancel()
        await service.waitForCancellation()
      }
      service.onCancel(nil)
    }
  }

  @Test("a service that has answered is not cancelled", arguments: MigrationStage.allCases, Feature.allCases)
  func answered(stage: MigrationStage, feature: Feature) async throws {
    let service = ReentrantService(answeringAtOnce: true)
    try await LeakTracker.check { tracker in
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      await operations.begin()
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
    let begin: () async -> Void
    /// Replaces the request in progress.
    var replace: (() async -> Void)?
    var cancel: (() async -> Void)?
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
          model.submit()
        },
        replace: {
          model.setQuery("teapot")
          model.submit()
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
        begin: { await model.load() }, cancel: model.cancel)
    }
  }
}
