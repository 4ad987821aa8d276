import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What every feature promises to its service, in every stage: to be left alone after its answer, and to be free in what it does
/// when it is called off.
@Suite("A service that looks when it is called off", .timeLimit(.minutes(1)))
struct ReentrantServiceContract {
  @Test(
    "a service that is called off, or whose answer is not wanted any more, may ask for the state",
    arguments: MigrationStage.allCases, Feature.allCases)
  func looks(stage: MigrationStage, feature: Feature) async throws {
    try await LeakTracker.check { tracker in
      let service = ReentrantService()
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      service.whenCalledOff(operations.look)
      await operations.begin()
      await service.waitForQuestion()
      if let replace = operations.replace {
        await replace()
        await service.waitForLook()
        await service.waitForQuestion()
      }
      if let cancel = operations.cancel {
        await cancel()
        await service.waitForLook()
      }
      service.whenCalledOff(nil)
    }
  }

  @Test("a service that has answered is not called off", arguments: MigrationStage.allCases, Feature.allCases)
  func answered(stage: MigrationStage, feature: Feature) async throws {
    let service = ReentrantService(answeringAtOnce: true)
    try await LeakTracker.check { tracker in
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      await operations.begin()
      while !operations.isDone() { await Task.yield() }
    }
    #expect(service.lookCount == 0)
  }
}

/// A feature that reads from a service, with the intents by which a request of its is given up.
enum Feature: CaseIterable, Sendable {
  case list, catalog, search, posts, detail, profile, dashboard

  struct Operations {
    let subject: any AnyObject & Sendable
    let look: @Sendable () -> Void
    let isDone: () -> Bool
    let begin: () async -> Void
    /// Takes the place of what is on its way.
    var replace: (() async -> Void)?
    var cancel: (() async -> Void)?
  }

  func makeOperations(_ stage: MigrationStage, _ service: ReentrantService) -> Operations {
    switch self {
    case .list:
      let model = stage.makeList(service: service, pageSize: 2)
      return Operations(
        subject: model.subject, look: { _ = model.state }, isDone: { model.state.content.value != nil },
        begin: model.load, replace: model.refresh, cancel: model.cancel)
    case .catalog:
      let model = stage.makeCatalog(service: service, pageSize: 2) { $0.text }
      return Operations(
        subject: model.subject, look: { _ = model.state }, isDone: { model.state.isComplete },
        begin: model.load, replace: model.refresh, cancel: model.cancel)
    case .search:
      let model = stage.makeSearch(service: service, clock: VirtualClock())
      return Operations(
        subject: model.subject, look: { _ = model.state }, isDone: { model.state.results.isEmpty },
        begin: {
          await model.setQuery("tea")
          await model.submit()
        },
        replace: {
          await model.setQuery("teapot")
          await model.submit()
        }, cancel: model.cancel)
    case .posts:
      let model = stage.makePosts(service: service)
      return Operations(
        subject: model.subject, look: { _ = model.state }, isDone: { model.state.content.isEmpty },
        begin: model.load, replace: model.refresh)
    case .detail:
      let model = stage.makeDetail(itemID: 1, source: .list, service: service)
      return Operations(
        subject: model.subject, look: { _ = model.state }, isDone: { model.state.content.value != nil },
        begin: model.loadIfNeeded, cancel: model.cancel)
    case .profile:
      let model = stage.makeProfile(service: service)
      return Operations(
        subject: model.subject, look: { _ = model.state }, isDone: { model.state.content.value != nil },
        begin: model.load, cancel: model.leave)
    case .dashboard:
      let model = stage.makeDashboard(profile: service, orders: service, recommendations: service)
      return Operations(
        subject: model.subject, look: { _ = model.state },
        isDone: { model.state.profile.value != nil && !model.state.isLoading },
        begin: { await model.load() }, cancel: model.cancel)
    }
  }
}
