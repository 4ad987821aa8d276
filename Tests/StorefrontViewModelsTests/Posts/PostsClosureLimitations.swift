import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the closure stage's single callback does to events: facts, and the reasons to migrate.
@Suite("Posts: facts about the closure stage", .timeLimit(.minutes(1)))
struct PostsClosureLimitations {
  @Test("an event that fires before the screen has bound is lost")
  func lostBeforeBinding() async throws {
    let model = try await makeModel()
    model.select(1)
    _ = model.state  // it has fired by now
    let screen = EventLog()
    let token = model.bindEvents(screen.note)
    model.select(2)
    try await screen.events.first { _ in true }
    #expect(screen.events.states == [.opened(2)], "the navigation to the first post has vanished")
    token.cancel()
  }

  @Test("a second binder takes the events away from the first, which is not told")
  func stolen() async throws {
    let model = try await makeModel()
    let (first, second) = (EventLog(), EventLog())
    let firstToken = model.bindEvents(first.note)
    model.select(1)
    try await first.events.first { $0 == .opened(1) }
    let secondToken = model.bindEvents(second.note)
    model.select(2)
    try await second.events.first { $0 == .opened(2) }
    #expect(first.events.states == [.opened(1)])
    #expect(!firstToken.isCancelled, "it still thinks that it is bound")
    withExtendedLifetime((firstToken, secondToken)) {}
  }

  @Test("after the second binder has left, nobody gets the events: the first one's are not given back")
  func notGivenBack() async throws {
    let model = try await makeModel()
    let (first, second) = (EventLog(), EventLog())
    let firstToken = model.bindEvents(first.note)
    model.bindEvents(second.note).cancel()
    model.select(1)
    _ = model.state
    let third = EventLog()
    let thirdToken = model.bindEvents(third.note)
    model.select(2)
    try await third.events.first { _ in true }
    #expect(first.events.states.isEmpty)
    #expect(second.events.states.isEmpty)
    #expect(third.events.states == [.opened(2)])
    withExtendedLifetime((firstToken, thirdToken)) {}
  }

  @Test("an observer of events is not told that the posts have gone away")
  func noEnd() async throws {
    let screen = EventLog()
    var token: CancellationToken?
    try await LeakTracker.check { tracker in
      let model = tracker.track(try await makeModel())
      token = model.bindEvents(screen.note)
      model.select(1)
      try await screen.events.first { _ in true }
    }
    #expect(token?.isCancelled == false)
    #expect(screen.events.states == [.opened(1)])
  }

  private func makeModel() async throws -> PostsClosureViewModel {
    let service = ScriptedPostService()
    let model = PostsClosureViewModel(service: service, callbackQueue: DispatchQueue(label: "callbacks"))
    model.load()
    try await service.loads.next().succeed(.numbered(1...3))
    try #require(model.state.posts == .numbered(1...3))
    return model
  }
}

/// What an observer of events has been told.
private struct EventLog: Sendable {
  let events: StateRecorder<PostsEvent>
  let note: @Sendable (PostsEvent) -> Void

  init() {
    let (stream, continuation) = AsyncStream<PostsEvent>.makeStream()
    events = StateRecorder(stream)
    note = { continuation.yield($0) }
  }
}
