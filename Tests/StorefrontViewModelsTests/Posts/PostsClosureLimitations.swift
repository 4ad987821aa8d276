import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the single event callback of the closure stage cannot do, and the later stages can.
@Suite("Posts: limitations of the closure stage", .timeLimit(.minutes(5)), .endsWaits)
struct PostsClosureLimitations {
  @Test("an event before the first binding is lost")
  func lostBeforeBinding() async throws {
    let model = try await makeModel()
    try model.select(1)
    let screen = EventLog()
    let token = model.bindEvents(screen.note)
    try model.select(2)
    try await screen.events.first { _ in true }
    #expect(screen.events.states == [.opened(2)], "the route to the first post is lost")
    token.cancel()
  }

  @Test("the offer to undo a deletion is lost if it is sent before the first binding")
  func lostOffer() async throws {
    let service = ScriptedPostService()
    let model = try await makeModel(service)
    let deleted = Gate()
    model.delete(2) { _ in deleted.open() }
    try await service.deletions.next().succeed()
    await deleted.wait()
    let screen = EventLog()
    let token = model.bindEvents(screen.note)
    try model.select(3)
    try await screen.events.first { _ in true }
    #expect(screen.events.states == [.opened(3)], "only a caller of restore(_:) can undo the deletion")
    model.restore(2)
    try await service.restorations.next().succeed()
    token.cancel()
  }

  @Test("a second binding silently takes the events from the first")
  func secondBinding() async throws {
    let model = try await makeModel()
    let (first, second) = (EventLog(), EventLog())
    let firstToken = model.bindEvents(first.note)
    try model.select(1)
    try await first.events.first { $0 == .opened(1) }
    let secondToken = model.bindEvents(second.note)
    try model.select(2)
    try await second.events.first { $0 == .opened(2) }
    #expect(first.events.states == [.opened(1)])
    #expect(!firstToken.isCancelled, "the token of the first binding is not cancelled")
    withExtendedLifetime((firstToken, secondToken)) {}
  }

  @Test("a route that an earlier observer has not received can be requested again")
  func routeOfAnEarlierObserver() async throws {
    let queue = DispatchQueue(label: "callbacks")
    let model = try await makeModel(callbackQueue: queue)
    let (first, second) = (EventLog(), EventLog())
    queue.suspend()
    let firstToken = model.bindEvents(first.note)
    try model.select(1)
    let secondToken = model.bindEvents(second.note)
    try model.select(1)
    queue.resume()
    try await second.events.first { $0 == .opened(1) }
    #expect(first.events.states == [])
    withExtendedLifetime((firstToken, secondToken)) {}
  }

  @Test("after the second binding is cancelled, the first one still receives no events")
  func cancelledSecondBinding() async throws {
    let model = try await makeModel()
    let (first, second) = (EventLog(), EventLog())
    let firstToken = model.bindEvents(first.note)
    model.bindEvents(second.note).cancel()
    try model.select(1)
    let third = EventLog()
    let thirdToken = model.bindEvents(third.note)
    try model.select(2)
    try await third.events.first { _ in true }
    #expect(first.events.states.isEmpty)
    #expect(second.events.states.isEmpty)
    #expect(third.events.states == [.opened(2)])
    withExtendedLifetime((firstToken, thirdToken)) {}
  }

  @Test("an observer of events is not notified when the view model is deallocated")
  func noEnd() async throws {
    let screen = EventLog()
    var token: CancellationToken?
    try await LeakTracker.check { tracker in
      let model = tracker.track(try await makeModel())
      token = model.bindEvents(screen.note)
      try model.select(1)
      try await screen.events.first { _ in true }
    }
    #expect(token?.isCancelled == false)
    #expect(screen.events.states == [.opened(1)])
  }

  private func makeModel(
    _ service: ScriptedPostService = ScriptedPostService(),
    callbackQueue: DispatchQueue = DispatchQueue(label: "callbacks")
  ) async throws -> PostsClosureViewModel {
    let model = PostsClosureViewModel(service: service, callbackQueue: callbackQueue)
    let loaded = Gate()
    model.load { loaded.open() }
    try await service.loads.next().succeed(.numbered(1...3))
    await loaded.wait()
    try #require(model.state.posts == .numbered(1...3))
    return model
  }
}

/// Records the events that an observer receives.
struct EventLog: Sendable {
  let events: StateRecorder<PostsEvent>
  let note: @Sendable (PostsEvent) -> Void

  init() {
    let (stream, continuation) = AsyncStream<PostsEvent>.makeStream()
    events = StateRecorder(stream)
    note = { continuation.yield($0) }
  }
}
