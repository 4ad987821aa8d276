import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The end of the posts when the user signs out, in every stage.
@Suite("Posts: close", .timeLimit(.minutes(5)), .endsWaits)
struct PostsCloseContract {
  @Test(
    "a closed list sends nothing, also after the answer of a change that was being sent",
    arguments: ContractStage.allCases)
  func changeInFlight(stage: ContractStage) async throws {
    let service = ScriptedPostService()
    try await withLoadedPosts(stage, service) { model, service in
      let states = StateRecorder(model.states())
      let deleted = model.delete(2)
      let call = try await service.deletions.next()
      let restored = model.restore(2)
      try await states.first { $0.restorationCount == 1 }
      await model.close()
      await #expect(throws: PostError.closed) { try await deleted.value }
      await #expect(throws: PostError.closed) { try await restored.value }
      call.succeed()
      await #expect(throws: PostError.closed) { try await model.delete(1).value }
      await #expect(throws: PostError.closed) { try await model.restore(2).value }
      #expect(throws: PostError.closed) { try model.select(1) }
      await (await model.load()).value
      await (await model.refresh()).value
      await model.close()
      #expect(model.state.isClosed && model.state.posts == .numbered(1...3))
    }
    #expect(service.deletions.requests.count == 1 && service.restorations.requests.isEmpty)
    #expect(service.loads.requests.count == 1)
  }

  @Test("a close ends a load, and its answer is not shown", arguments: ContractStage.inProcess)
  func loadInProgress(stage: ContractStage) async throws {
    let service = ScriptedPostService(ignoringCancellation: true)
    try await withPosts(stage, service) { model in
      let loaded = await model.load()
      let call = try await service.loads.next()
      await model.close()
      await loaded.value
      await call.waitForCancellation()
      call.succeed(.numbered(1...3))
      #expect(throws: PostError.closed) { try model.select(1) }
      #expect(!model.state.isLoading && model.state.posts.isEmpty)
    }
  }

  @Test(
    "the states and the events end with the closed list",
    arguments: ContractStage.streams)
  func streams(stage: ContractStage) async throws {
    try await withPosts(stage, ScriptedPostService()) { model in
      let (states, events) = (model.states(), model.events())
      await model.close()
      var last: PostsState?
      for await state in states { last = state }
      for await event in events { Issue.record("\(event)") }
      #expect(last?.isClosed == true)
    }
  }

  @Test("a closed list ignores all that comes after")
  func rules() throws {
    var state = PostsState()
    state.begin()
    _ = state.receive(.success(.numbered(1...3)))
    let deletion = try state.beginDeletion(of: 2)
    let restoration = try state.beginRestoration(of: 2)
    state.begin()
    state.close()
    #expect(!state.isLoading && !state.isDue(deletion))
    let step = state.end(deletion, .success(()))
    #expect(step.event == nil && step.next == nil && !state.isDue(restoration))
    #expect(state.receive(.failure(ServiceError.busy)) == nil)
    #expect(state.request(for: .reload) == nil)
    #expect(throws: PostError.closed) { _ = try state.beginRestoration(of: 2) }
    #expect(state.posts == .numbered(1...3))
  }
}
