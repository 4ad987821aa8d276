import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Restorations in every stage.
@Suite("Posts: restore", .timeLimit(.minutes(5)), .endsWaits)
struct PostsRestorationContract {
  @Test(
    "a restored post is shown at its place before the service answers", arguments: ContractStage.allCases)
  func optimism(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      let restored = model.restore(2)
      let call = try await service.restorations.next()
      #expect(call.request == 2)
      #expect(model.state.posts == .numbered(1...3))
      #expect(model.state.restorationCount == 1 && model.state.deletionCount == 0)
      call.succeed()
      try await restored.value
      #expect(model.state.posts == .numbered(1...3))
      #expect(model.state.restorationCount == 0)
    }
  }

  @Test(
    "a post whose restoration fails is hidden again, and one alert is sent",
    arguments: ContractStage.allCases)
  func rollBack(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      let events = StateRecorder(model.events())
      let restored = model.restore(2)
      try await service.restorations.next().fail(ServiceError.busy)
      await #expect(throws: ServiceError.busy) { try await restored.value }
      #expect(model.state.posts == .numbered([1, 3]))
      try model.select(3)
      try await events.first { $0 == .opened(3) }
      #expect(events.states.suffix(2) == [.restorationFailed(2), .opened(3)])
    }
  }

  @Test(
    "a restoration is sent after the deletion is answered, whatever the answer is, and the deletion sends no event",
    arguments: ContractStage.allCases, [true, false])
  func afterDeletion(stage: ContractStage, succeeds: Bool) async throws {
    try await withLoadedPosts(stage) { model, service in
      let (states, events) = (StateRecorder(model.states()), StateRecorder(model.events()))
      let deleted = model.delete(2)
      let deletion = try await service.deletions.next()
      let restored = model.restore(2)
      try await states.first { $0.restorationCount == 1 }
      #expect(model.state.posts == .numbered(1...3))
      #expect(service.restorations.requests.isEmpty)
      if succeeds { deletion.succeed() } else { deletion.fail(ServiceError.busy) }
      let result = await deleted.result
      #expect((try? result.get()) != nil || !succeeds)
      let restoration = try await service.restorations.next()
      #expect(model.state.posts == .numbered(1...3) && model.state.deletionCount == 0)
      restoration.succeed()
      try await restored.value
      #expect(model.state.posts == .numbered(1...3))
      try model.select(2)
      try await events.first { _ in true }
      #expect(events.states == [.opened(2)], "the user has undone the deletion already")
    }
  }

  @Test(
    "a post is deleted again after its restoration is answered, whatever the answer is",
    arguments: ContractStage.allCases, [true, false])
  func deletedAgain(stage: ContractStage, succeeds: Bool) async throws {
    try await withDeletedPost(stage) { model, service in
      let states = StateRecorder(model.states())
      let restored = model.restore(2)
      let restoration = try await service.restorations.next()
      let deleted = model.delete(2)
      try await states.first { $0.deletionCount == 1 }
      #expect(model.state.posts == .numbered([1, 3]))
      #expect(service.deletions.requests.count == 1)
      if succeeds { restoration.succeed() } else { restoration.fail(ServiceError.busy) }
      _ = await restored.result
      let deletion = try await service.deletions.next()
      #expect(model.state.posts == .numbered([1, 3]))
      deletion.succeed()
      try await deleted.value
      #expect(model.state.posts == .numbered([1, 3]))
    }
  }

  @Test(
    "a post that is shown or not known cannot be restored, and nothing is sent",
    arguments: ContractStage.allCases)
  func refused(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      await #expect(throws: PostError.notDeleted(1)) { try await model.restore(1).value }
      await #expect(throws: PostError.unknownPost(9)) { try await model.restore(9).value }
      let restored = model.restore(2)
      let call = try await service.restorations.next()
      await #expect(throws: PostError.notDeleted(2)) { try await model.restore(2).value }
      call.succeed()
      try await restored.value
      await #expect(throws: PostError.notDeleted(2)) { try await model.restore(2).value }
      #expect(service.restorations.requests == [2])
    }
  }

  @Test(
    "a list that was requested before a restoration ended does not hide the post",
    arguments: ContractStage.allCases)
  func staleList(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      await model.refresh()
      let list = try await service.loads.next()
      let restored = model.restore(2)
      try await service.restorations.next().succeed()
      try await restored.value
      list.succeed(.numbered([1, 3]))
      await model.settle()
      #expect(model.state.posts == .numbered(1...3))

      await model.refresh()
      try await service.loads.next().succeed(.numbered([3, 1]))
      await model.settle()
      #expect(model.state.posts == .numbered([3, 1]), "a list that is requested later is shown as it is")
    }
  }

  @Test(
    "a post can be restored after a refresh without it, and the order of the refresh stays",
    arguments: ContractStage.allCases)
  func afterRefresh(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      await model.refresh()
      try await service.loads.next().succeed(.numbered([4, 3, 1]))
      await model.settle()
      let restored = model.restore(2)
      let call = try await service.restorations.next()
      #expect(model.state.posts == .numbered([4, 2, 3, 1]), "post 2 was before post 3")
      call.succeed()
      try await restored.value
    }
  }

  @Test(
    "a cancellation by the service hides the post again, without an alert", arguments: ContractStage.inProcess
  )
  func serviceCancels(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      let events = StateRecorder(model.events())
      let restored = model.restore(2)
      try await service.restorations.next().fail(CancellationError())
      await #expect(throws: CancellationError.self) { try await restored.value }
      #expect(model.state.posts == .numbered([1, 3]))
      try model.select(1)
      try await events.first { $0 == .opened(1) }
      #expect(events.states.last == .opened(1))
      #expect(!events.states.contains { if case .alert = $0 { true } else { false } })
    }
  }

  @Test(
    "a restoration finishes even if its view model is released and its caller is cancelled",
    arguments: ContractStage.allCases)
  func releasedWhileRestoring(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let service = ScriptedPostService()
      let restored = try await start(in: stage.makePosts(service: service), service, tracker) {
        try await service.deletions.next().succeed()
      }
      let call = try await service.restorations.next()
      restored.cancel()
      #expect(call.isOpen && !call.isCancelled)
      call.succeed()
      try await restored.value
    }
  }

  @Test(
    "a restoration that waits for the deletion is sent even if its view model is released",
    arguments: ContractStage.allCases)
  func releasedWhileWaiting(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let service = ScriptedPostService()
      let restored = try await start(in: stage.makePosts(service: service), service, tracker) {}
      let deletion = try await service.deletions.next()
      restored.cancel()
      #expect(service.restorations.requests.isEmpty)
      deletion.succeed()
      try await service.restorations.next().succeed()
      try await restored.value
    }
  }

  /// Deletes and restores a post, and releases the view model.
  private func start(
    in model: any PostsDriver, _ service: ScriptedPostService, _ tracker: LeakTracker,
    between: () async throws -> Void
  ) async throws -> Task<Void, any Error> {
    tracker.track(model.subject)
    await model.load()
    try await service.loads.next().succeed(.numbered(1...3))
    await model.settle()
    let states = StateRecorder(model.states())
    model.delete(2)
    try await states.first { $0.deletionCount == 1 }
    try await between()
    let restored = model.restore(2)
    try await states.first { $0.restorationCount == 1 }
    states.cancel()
    return restored
  }
}

/// Creates the view model, loads three posts and deletes post 2.
func withDeletedPost(
  _ stage: ContractStage, _ body: (any PostsDriver, ScriptedPostService) async throws -> Void
) async throws {
  try await withLoadedPosts(stage) { model, service in
    let deleted = model.delete(2)
    try await service.deletions.next().succeed()
    try await deleted.value
    try await body(model, service)
  }
}
