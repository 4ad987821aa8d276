import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Deletions in every stage.
@Suite("Posts: delete", .timeLimit(.minutes(5)), .endsWaits)
struct PostsDeletionContract {
  @Test(
    "a deleted post is hidden before the service answers", arguments: ContractStage.allCases)
  func optimism(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let deleted = model.delete(2)
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

  @Test(
    "a post whose deletion fails returns to its place, and one alert is sent",
    arguments: ContractStage.allCases)
  func rollBack(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let (states, events) = (StateRecorder(model.states()), StateRecorder(model.events()))
      let deleted = model.delete(2)
      let call = try await service.deletions.next()
      try await states.first { $0.posts == .numbered([1, 3]) }
      call.fail(ServiceError.busy)
      await #expect(throws: ServiceError.busy) { try await deleted.value }
      #expect(model.state.posts == .numbered(1...3))
      try await states.first(from: states.states.count - 1) { $0.posts == .numbered(1...3) }
      try model.select(2)
      try await events.first { $0 == .opened(2) }
      #expect(events.states == [.deletionFailed(2), .opened(2)])
    }
  }

  @Test("a failed deletion restores its own post and no other", arguments: ContractStage.allCases)
  func rollBackAmongOthers(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let first = model.delete(1)
      let firstCall = try await service.deletions.next()
      let third = model.delete(3)
      let thirdCall = try await service.deletions.next()
      #expect(model.state.posts == .numbered([2]))
      thirdCall.fail(ServiceError.busy)
      await #expect(throws: ServiceError.busy) { try await third.value }
      #expect(model.state.posts == .numbered([2, 3]))
      firstCall.succeed()
      try await first.value
      #expect(model.state.posts == .numbered([2, 3]))
    }
  }

  @Test("the deletion of the last post leaves the content empty", arguments: ContractStage.allCases)
  func last(stage: ContractStage) async throws {
    try await withLoadedPosts(stage, ScriptedPostService(), .numbered([1])) { model, service in
      let deleted = model.delete(1)
      let call = try await service.deletions.next()
      #expect(model.state.content.isEmpty)
      call.succeed()
      try await deleted.value
      #expect(model.state.content.isEmpty)
    }
  }

  @Test("a post that is not shown can be neither deleted nor selected", arguments: ContractStage.allCases)
  func unknown(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      await #expect(throws: PostError.unknownPost(9)) { try await model.delete(9).value }
      #expect(throws: PostError.unknownPost(9)) { try model.select(9) }
      let deleted = model.delete(2)
      await #expect(throws: PostError.unknownPost(2)) { try await model.delete(2).value }
      #expect(throws: PostError.unknownPost(2)) { try model.select(2) }
      try await service.deletions.next().succeed()
      try await deleted.value
      #expect(service.deletions.requests == [2])
      #expect(model.state.posts == .numbered([1, 3]))
      try model.select(3)
      try await events.first { _ in true }
      try await events.first { $0 == .opened(3) }
      #expect(events.states == [.deleted(2), .opened(3)])
    }
  }

  @Test(
    "a post that the service does not know is removed without an alert", arguments: ContractStage.allCases)
  func unknownToService(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      let deleted = model.delete(2)
      try await service.deletions.next().fail(PostError.unknownPost(2))
      await #expect(throws: PostError.unknownPost(2)) { try await deleted.value }
      #expect(model.state.posts == .numbered([1, 3]))
      try model.select(1)
      try await events.first { _ in true }
      #expect(events.states == [.opened(1)], "neither an alert nor an offer is sent")
    }
  }

  @Test(
    "a list that was requested before a deletion ended does not restore the post",
    arguments: ContractStage.allCases)
  func staleList(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let first = model.delete(1)
      let firstCall = try await service.deletions.next()
      await model.refresh()
      let list = try await service.loads.next()
      let second = model.delete(2)
      let secondCall = try await service.deletions.next()
      firstCall.succeed()
      try await first.value
      list.succeed(.numbered(1...3))
      await model.settle()
      #expect(model.state.posts == .numbered([3]), "post 1 is deleted, and post 2 is being deleted")
      secondCall.fail(ServiceError.busy)
      await #expect(throws: ServiceError.busy) { try await second.value }
      #expect(model.state.posts == .numbered([2, 3]))

      await model.refresh()
      try await service.loads.next().succeed(.numbered(1...3))
      await model.settle()
      #expect(model.state.posts == .numbered(1...3), "a list that is requested later is shown as it is")
    }
  }

  @Test(
    "a deletion finishes even if its view model is released and its caller is cancelled",
    arguments: ContractStage.allCases)
  func releasedWhileDeleting(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let service = ScriptedPostService()
      let deleted = try await startDeletion(in: stage.makePosts(service: service), service, tracker)
      let call = try await service.deletions.next()
      deleted.cancel()
      #expect(call.isOpen)
      #expect(!call.isCancelled)
      call.succeed()
      try await deleted.value
    }
  }

  /// Starts a deletion and releases the view model.
  private func startDeletion(
    in model: any PostsDriver, _ service: ScriptedPostService, _ tracker: LeakTracker
  ) async throws -> Task<Void, any Error> {
    tracker.track(model.subject)
    await model.load()
    try await service.loads.next().succeed(.numbered(1...3))
    await model.settle()
    return model.delete(1)
  }
}
