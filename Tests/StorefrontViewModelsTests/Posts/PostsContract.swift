import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Loading of the posts in every stage.
@Suite("Posts", .timeLimit(.minutes(5)), .endsWaits)
struct PostsContract {
  @Test(
    "the first state is idle, and nothing is requested before the first load",
    arguments: ContractStage.allCases)
  func firstState(stage: ContractStage) async throws {
    let service = ScriptedPostService()
    try await withPosts(stage, service) { model in
      let first = try await StateRecorder(model.states()).first { _ in true }
      #expect(first.content.isIdle)
      #expect(service.loads.requests.isEmpty)
    }
  }

  @Test("a load shows the loading state, then the posts", arguments: ContractStage.allCases)
  func load(stage: ContractStage) async throws {
    let service = ScriptedPostService()
    try await withPosts(stage, service) { model in
      let states = StateRecorder(model.states())
      await model.load()
      let call = try await service.loads.next()
      #expect(model.state.content.isLoading)
      try await states.first { $0.content.isLoading }

      call.succeed(.numbered(1...3))
      try await states.first { $0.content.value == .numbered(1...3) }
      #expect(!model.state.isLoading)
    }
  }

  @Test("without posts, the content is empty", arguments: ContractStage.allCases)
  func empty(stage: ContractStage) async throws {
    try await withLoadedPosts(stage, ScriptedPostService(), []) { model, _ in
      #expect(model.state.content.isEmpty)
    }
  }

  @Test(
    "a failed first load is shown in the content, sends no alert and can be repeated",
    arguments: ContractStage.allCases)
  func firstFailure(stage: ContractStage) async throws {
    let service = ScriptedPostService()
    try await withPosts(stage, service) { model in
      let events = StateRecorder(model.events())
      await model.load()
      try await service.loads.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .busy)

      await model.load()
      try await service.loads.next().succeed(.numbered(1...3))
      await model.settle()
      try model.select(1)
      try await events.first { _ in true }
      #expect(events.states == [.opened(1)])
    }
  }

  @Test("100 concurrent loads make one request", arguments: ContractStage.allCases)
  func singleFlight(stage: ContractStage) async throws {
    let service = ScriptedPostService()
    try await withPosts(stage, service) { model in
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { await model.load() } }
      }
      try await service.loads.next().succeed(.numbered(1...3))
      await model.settle()
      await model.load()
      await model.settle()
      #expect(service.loads.requests.count == 1, "loaded posts are not loaded again")
    }
  }

  @Test(
    "a cancel ends the load and restores the earlier state, and the posts can be loaded again",
    arguments: ContractStage.allCases)
  func cancel(stage: ContractStage) async throws {
    let service = ScriptedPostService(ignoringCancellation: true)
    try await withPosts(stage, service) { model in
      let load = await model.load()
      let late = try await service.loads.next()
      await model.cancel()
      #expect(model.state.content.isIdle)
      await load.value
      await late.waitForCancellation()
      await model.load()
      let call = try await service.loads.next()
      late.succeed(.numbered(666...666))
      call.succeed(.numbered(1...3))
      await model.settle()
      #expect(model.state.content.value == .numbered(1...3))
      await model.refresh()
      _ = try await service.loads.next()
      await model.cancel()
      #expect(model.state.content.value == .numbered(1...3))
      #expect(!model.state.isRefreshing)
    }
  }

  @Test("a refresh keeps the old posts until the new ones arrive", arguments: ContractStage.allCases)
  func refresh(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      await model.refresh()
      let call = try await service.loads.next()
      #expect(model.state.isRefreshing)
      #expect(model.state.content.value == .numbered(1...3))
      call.succeed(.numbered(2...5))
      await model.settle()
      #expect(model.state.content.value == .numbered(2...5))
      #expect(!model.state.isRefreshing)
    }
  }

  @Test("a failed refresh keeps the posts and sends one alert", arguments: ContractStage.allCases)
  func refreshFailure(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      await model.refresh()
      try await service.loads.next().fail(ServiceError.busy)
      try await events.first { $0 == .refreshFailed }
      #expect(model.state.content.value == .numbered(1...3))
      try model.select(1)
      try await events.first { $0 == .opened(1) }
      #expect(events.states.count == 2)
    }
  }

  @Test(
    "a list that a refresh superseded is never published, even if the service ignores cancellation",
    arguments: ContractStage.allCases)
  func superseded(stage: ContractStage) async throws {
    let service = ScriptedPostService(ignoringCancellation: true)
    try await withPosts(stage, service) { model in
      let states = StateRecorder(model.states(.unbounded))
      await model.load()
      let stale = try await service.loads.next()
      await model.refresh()
      let fresh = try await service.loads.next()
      await stale.waitForCancellation()
      stale.succeed(.numbered(666...666))
      fresh.succeed(.numbered(1...3))
      try await states.first { $0.posts == .numbered(1...3) }
      await model.settle()
      #expect(model.state.posts == .numbered(1...3))
      #expect(!states.states.contains { $0.posts == .numbered(666...666) })
    }
  }

  @Test(
    "a list that contains a post twice shows it once, as the later one", arguments: ContractStage.allCases)
  func duplicates(stage: ContractStage) async throws {
    let service = ScriptedPostService()
    try await withPosts(stage, service) { model in
      await model.load()
      try await service.loads.next().succeed(.numbered([1, 2, 2, 3]))
      await model.settle()
      #expect(model.state.posts == .numbered(1...3))

      await model.refresh()
      let newer = Post(id: 4, title: "Newer", body: "")
      try await service.loads.next().succeed(Page(items: .numbered([4, 5]) + [newer], next: nil))
      await model.settle()
      #expect(model.state.posts == [newer] + .numbered([5]))
    }
  }

  @Test("a cancellation by the service is not a failure", arguments: ContractStage.inProcess)
  func serviceCancels(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      await model.refresh()
      try await service.loads.next().fail(CancellationError())
      await model.settle()
      #expect(!model.state.isRefreshing)
      let deleted = model.delete(1)
      try await service.deletions.next().fail(CancellationError())
      await #expect(throws: CancellationError.self) { try await deleted.value }
      #expect(model.state.posts == .numbered(1...3))
      try model.select(1)
      try await events.first { _ in true }
      #expect(events.states == [.opened(1)], "no alert is sent")
    }
  }

  @Test(
    "a view model that is deallocated during a load cancels its request", arguments: ContractStage.allCases)
  func deallocatedWhileLoading(stage: ContractStage) async throws {
    let service = ScriptedPostService()
    let call = try await withPosts(stage, service) { model in
      await model.load()
      return try await service.loads.next()
    }
    await call.waitForCancellation()
  }

  @Test(
    "streams of states and events end when the view model is deallocated",
    arguments: ContractStage.streams)
  func ownerEnd(stage: ContractStage) async throws {
    var states: StateRecorder<PostsState>?
    var events: StateRecorder<PostsEvent>?
    try await withLoadedPosts(stage) { model, _ in
      states = StateRecorder(model.states())
      events = StateRecorder(model.events())
      try model.select(2)
    }
    let seen = try await states?.waitForEnd()
    #expect(seen?.last?.posts == .numbered(1...3))
    #expect(try await events?.waitForEnd() == [.opened(2)], "the stream yields the event before it ends")
  }
}
