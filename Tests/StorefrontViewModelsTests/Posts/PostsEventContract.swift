import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What one-shot events promise: once, in order, never again; in every stage where somebody is bound. What the streams promise
/// beyond that has the stages in its arguments.
@Suite("Posts: events", .timeLimit(.minutes(1)))
struct PostsEventContract {
  @Test("each event is delivered once, in the order in which it fired", arguments: MigrationStage.allCases)
  func once(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage, ScriptedPostService(), .numbered(1...100)) { model, _ in
      let events = StateRecorder(model.events())
      for number in 1...100 { try await model.select(Post.ID(rawValue: number)) }
      try await events.first { $0 == .opened(100) }
      #expect(events.states == (1...100).map(PostsEvent.opened))
    }
  }

  @Test("an event is not replayed to a screen that binds again", arguments: MigrationStage.allCases)
  func noReplay(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, _ in
      let first = StateRecorder(model.events())
      try await model.select(1)
      try await first.first { $0 == .opened(1) }
      first.cancel()
      try await first.waitForEnd()

      let second = StateRecorder(model.events())
      try await model.select(2)
      try await second.first { _ in true }
      #expect(second.states == [.opened(2)])
    }
  }

  @Test(
    "an event fires within the state that it belongs to: the alert comes with the post",
    arguments: MigrationStage.allCases)
  func withState(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      await model.delete(2)
      try await service.deletions.next().fail(ServiceError.timedOut)
      try await events.first { $0 == .deletionTimedOut(2) }
      #expect(model.state.posts == .numbered(1...3))
    }
  }

  @Test(
    "what fires before the screen has bound is held for it, in its order",
    arguments: [MigrationStage.stream, .async])
  func held(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      try await model.select(1)
      let deleted = await model.delete(2)
      try await service.deletions.next().fail(ServiceError.timedOut)
      _ = await deleted.result
      try await model.select(3)

      let events = StateRecorder(model.events())
      try await events.first { $0 == .opened(3) }
      #expect(events.states == [.opened(1), .deletionTimedOut(2), .opened(3)])
    }
  }

  @Test(
    "a refresh that failed while nobody looked is old news to the screen that comes",
    arguments: MigrationStage.allCases)
  func unseenRefreshes(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      for _ in 1...50 {
        await model.refresh()
        try await service.loads.next().fail(ServiceError.timedOut)
        await model.settle()
      }
      let events = StateRecorder(model.events())
      try await model.select(1)
      try await events.first { _ in true }
      #expect(events.states == [.opened(1)])
    }
  }

  @Test(
    "a held event is given to one screen, and not to the next one",
    arguments: [MigrationStage.stream, .async])
  func heldOnce(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, _ in
      try await model.select(1)
      let first = StateRecorder(model.events())
      try await first.first { $0 == .opened(1) }
      first.cancel()
      try await first.waitForEnd()
      let second = StateRecorder(model.events())
      try await model.select(2)
      try await second.first { _ in true }
      #expect(second.states == [.opened(2)])
    }
  }

  @Test(
    "a screen that leaves without having read leaves the event for the next one",
    arguments: [MigrationStage.stream, .async])
  func unread(stage: MigrationStage) async throws {
    try await withLoadedPosts(stage) { model, _ in
      var unread: AsyncStream<PostsEvent>? = model.events()
      try await model.select(1)
      _ = unread.take()
      let events = StateRecorder(model.events())
      try await events.first { $0 == .opened(1) }
    }
  }

  @Test("of two screens that are bound, each event goes to one", arguments: [MigrationStage.stream, .async])
  func twoScreens(stage: MigrationStage) async throws {
    var screens: [StateRecorder<PostsEvent>] = []
    try await withLoadedPosts(stage, ScriptedPostService(), .numbered(1...100)) { model, _ in
      screens = [StateRecorder(model.events()), StateRecorder(model.events())]
      for number in 1...100 { try await model.select(Post.ID(rawValue: number)) }
    }
    var seen: [PostsEvent] = []
    for screen in screens { seen += try await screen.waitForEnd() }
    #expect(seen.count == 100)
    #expect(Set(seen) == Set((1...100).map(PostsEvent.opened)))
  }
}
