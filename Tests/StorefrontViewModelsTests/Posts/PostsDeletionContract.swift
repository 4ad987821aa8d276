import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What deleting promises, in every stage.
@Suite("Posts: delete", .timeLimit(.minutes(1)))
struct PostsDeletionContract {
  @Test(
    "a post that is deleted is hidden before the service has answered", arguments: MigrationStage.allCases)
  func optimism(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let deleted = await model.delete(2)
      let call = try await service.deletions.next()
      #expect(call.request == 2)
      #expect(model.state.posts == .numbered([1, 3]))
      #expect(model.state.deletionCount == 1)
      call.succeed()
      try await deleted.value
      #expect(model.state.posts == .numbered([1, 3]))
      #expect(model.state.deletionCount == 0)
    }
  }

  @Test("what the service refuses is back in its place, with one alert", arguments: MigrationStage.allCases)
  func rollBack(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let (states, events) = (StateRecorder(model.states()), StateRecorder(model.events()))
      let deleted = await model.delete(2)
      let call = try await service.deletions.next()
      try await states.first { $0.posts == .numbered([1, 3]) }
      call.fail(ServiceError.timedOut)
      await #expect(throws: ServiceError.timedOut) { try await deleted.value }
      #expect(model.state.posts == .numbered(1...3))
      try await states.first(from: states.states.count - 1) { $0.posts == .numbered(1...3) }
      try await model.select(2)
      try await events.first { $0 == .opened(2) }
      #expect(events.states == [.deletionTimedOut(2), .opened(2)])
    }
  }

  @Test("a refusal brings back its own post and no other", arguments: MigrationStage.allCases)
  func rollBackAmongOthers(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let first = await model.delete(1)
      let firstCall = try await service.deletions.next()
      let third = await model.delete(3)
      let thirdCall = try await service.deletions.next()
      #expect(model.state.posts == .numbered([2]))
      thirdCall.fail(ServiceError.timedOut)
      await #expect(throws: ServiceError.timedOut) { try await third.value }
      #expect(model.state.posts == .numbered([2, 3]))
      firstCall.succeed()
      try await first.value
      #expect(model.state.posts == .numbered([2, 3]))
    }
  }

  @Test("the last post that is deleted leaves an empty screen", arguments: MigrationStage.allCases)
  func last(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage, ScriptedPostService(), .numbered([1])) { model, service in
      let deleted = await model.delete(1)
      let call = try await service.deletions.next()
      #expect(model.state.content.isEmpty)
      call.succeed()
      try await deleted.value
      #expect(model.state.content.isEmpty)
    }
  }

  @Test("a post that is not shown can neither be deleted nor chosen", arguments: MigrationStage.allCases)
  func unknown(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      await #expect(throws: PostError.unknownPost(9)) { try await model.delete(9).value }
      await #expect(throws: PostError.unknownPost(9)) { try await model.select(9) }
      let deleted = await model.delete(2)
      await #expect(throws: PostError.unknownPost(2)) { try await model.delete(2).value }
      await #expect(throws: PostError.unknownPost(2)) { try await model.select(2) }
      try await service.deletions.next().succeed()
      try await deleted.value
      #expect(service.deletions.requests == [2])
      #expect(model.state.posts == .numbered([1, 3]))
      try await model.select(3)
      try await events.first { _ in true }
      #expect(events.states == [.opened(3)])
    }
  }

  @Test(
    "a post that the service does not have either is gone, as was wanted", arguments: MigrationStage.allCases)
  func goneAlready(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      let deleted = await model.delete(2)
      try await service.deletions.next().fail(PostError.unknownPost(2))
      await #expect(throws: PostError.unknownPost(2)) { try await deleted.value }
      #expect(model.state.posts == .numbered([1, 3]))
      try await model.select(1)
      try await events.first { _ in true }
      #expect(events.states == [.opened(1)], "and no alert")
    }
  }

  @Test(
    "a list that was asked for before a deletion does not bring its post back",
    arguments: MigrationStage.allCases)
  func staleList(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let first = await model.delete(1)
      let firstCall = try await service.deletions.next()
      await model.refresh()
      let list = try await service.loads.next()
      let second = await model.delete(2)
      let secondCall = try await service.deletions.next()
      firstCall.succeed()
      try await first.value
      list.succeed(.numbered(1...3))
      await model.settle()
      #expect(model.state.posts == .numbered([3]), "one is deleted since, the other is being deleted")
      secondCall.fail(ServiceError.timedOut)
      await #expect(throws: ServiceError.timedOut) { try await second.value }
      #expect(model.state.posts == .numbered([2, 3]))

      await model.refresh()
      try await service.loads.next().succeed(.numbered(1...3))
      await model.settle()
      #expect(model.state.posts == .numbered(1...3), "a list that was asked for afterwards knows better")
    }
  }

  @Test("the end of the view model does not call off a deletion", arguments: MigrationStage.allCases)
  func goneWhileDeleting(stage: MigrationStage) async throws {
    var deleted: Task<Void, any Error>?
    var call: ScriptedCall<Post.ID, Void>?
    try await withLoadedPosts(stage) { model, service in
      deleted = await model.delete(1)
      call = try await service.deletions.next()
    }
    let open = try #require(call)
    #expect(open.isOpen)
    #expect(!open.isCancelled)
    open.succeed()
    try await deleted?.value
  }

  @Test(
    "over HTTP, what is deleted is gone, and a failure brings it back", arguments: MigrationStage.allCases)
  func overHTTP(stage: MigrationStage) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 1))
    let url = try server.start()
    let (service, closures) = (HTTPStorefront(baseURL: url), HTTPClosureStorefront(baseURL: url))
    let posts = server.catalog.posts
    try await LeakTracker.check { tracker in
      let model = stage.makePosts(service: service, closures: closures)
      tracker.track(model.subject)
      let (states, events) = (StateRecorder(model.states()), StateRecorder(model.events()))
      await model.load()
      try await states.first { $0.content.value == posts }
      try await model.delete(posts[0].id).value
      #expect(server.posts == Array(posts.dropFirst()))

      server.fail(with: .status(500))
      let refused = ServiceError.status(code: 500, message: "scripted failure")
      await #expect(throws: refused) { try await model.delete(posts[1].id).value }
      let event = try await events.first { _ in true }
      guard case .alert(let alert) = event else { return #expect(Bool(false), "\(event)") }
      #expect(alert.message == "\(refused)")
      #expect(model.state.posts == Array(posts.dropFirst()))
      await model.refresh()
      try await states.first(from: states.states.count - 1) { $0.posts == server.posts && !$0.isLoading }
    }
  }
}
