import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// One-time events. Every stage delivers them to a bound observer once and in order, and never replays them.
///
/// Some guarantees hold only for streams: the tests of these guarantees run only in the stages with streams.
@Suite("Posts: events", .timeLimit(.minutes(5)), .endsWaits)
struct PostsEventContract {
  @Test("each event is delivered once and in order", arguments: ContractStage.allCases)
  func once(stage: ContractStage) async throws {
    try await withLoadedPosts(stage, ScriptedPostService(), .numbered(1...100)) { model, _ in
      let events = StateRecorder(model.events())
      for number in 1...100 { try model.select(Post.ID(rawValue: number)) }
      try await events.first { $0 == .opened(100) }
      #expect(events.states == (1...100).map(PostsEvent.opened))
    }
  }

  @Test(
    "a post that is selected twice before an observer has received its route is opened once",
    arguments: ContractStage.streams)
  func doubleTap(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, _ in
      for id: Post.ID in [1, 1, 2, 1] { try model.select(id) }
      let events = StateRecorder(model.events())
      try await events.waitForStates(2)
      try model.select(1)
      try await events.waitForStates(3)
      #expect(
        events.states == [.opened(1), .opened(2), .opened(1)], "after its delivery, a route is sent again")
    }
  }

  @Test("in the closure stage, too, a post that is selected twice before the observer runs is opened once")
  func doubleTapOnAQueue() async throws {
    let (service, queue, log) = (ScriptedPostService(), DispatchQueue(label: "callbacks"), EventLog())
    let model = PostsClosureViewModel(service: service, callbackQueue: queue)
    let loaded = Gate()
    model.load { loaded.open() }
    try await service.loads.next().succeed(.numbered(1...3))
    await loaded.wait()
    let token = model.bindEvents(log.note)
    queue.suspend()
    for id: Post.ID in [1, 1, 2, 1] { try model.select(id) }
    queue.resume()
    try await log.events.waitForStates(2)
    #expect(log.events.states == [.opened(1), .opened(2)])
    token.cancel()
    try model.select(1)
    // A new observer does not depend on what the former one has received.
    let other = EventLog()
    let next = model.bindEvents(other.note)
    try model.select(1)
    try await other.events.first { $0 == .opened(1) }
    withExtendedLifetime(next) {}
  }

  @Test(
    "an event is not replayed to a later observer, also if it was kept for the first one",
    arguments: ContractStage.allCases.map { ($0, false) } + ContractStage.streams.map { ($0, true) })
  func noReplay(stage: ContractStage, isKept: Bool) async throws {
    try await withLoadedPosts(stage) { model, _ in
      if isKept { try model.select(1) }
      let first = StateRecorder(model.events())
      if !isKept { try model.select(1) }
      try await first.first { $0 == .opened(1) }
      first.cancel()
      try await first.waitForEnd()

      let second = StateRecorder(model.events())
      try model.select(2)
      try await second.first { _ in true }
      #expect(second.states == [.opened(2)])
    }
  }

  @Test(
    "an alert that a screen has read, but not shown before it left, goes to the next screen",
    arguments: ContractStage.streams)
  func alertOfAFormerScreen(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let queue = DispatchQueue(label: "the first screen")
      let (shown, read) = (Tally(), Gate())
      let events = model.events().map { event in
        read.open()
        return event
      }
      let binding = events.observe(on: queue) { _ in shown.increment() }
      model.delete(2)
      let deletion = try await service.deletions.next()
      queue.suspend()
      deletion.fail(ServiceError.busy)
      try? await read.waitUnlessCancelled()
      binding.cancel()
      queue.resume()
      #expect(model.state.posts == .numbered(1...3) && model.state.deletionCount == 0)
      let next = StateRecorder(model.events())
      try await next.first { $0 == .deletionFailed(2) }
      #expect(shown.count == 0)
    }
  }

  @Test(
    "when an observer receives the alert of a failed deletion, the state contains the restored post",
    arguments: ContractStage.allCases)
  func withState(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      model.delete(2)
      try await service.deletions.next().fail(ServiceError.busy)
      try await events.first { $0 == .deletionFailed(2) }
      #expect(model.state.posts == .numbered(1...3))
    }
  }

  @Test(
    "events that are sent before the first observer arrives are kept for it, in order",
    arguments: ContractStage.streams)
  func kept(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      try model.select(1)
      let deleted = model.delete(2)
      try await service.deletions.next().fail(ServiceError.busy)
      _ = await deleted.result
      try model.select(3)

      let events = StateRecorder(model.events())
      try await events.first { $0 == .opened(3) }
      #expect(events.states == [.opened(1), .deletionFailed(2), .opened(3)])
    }
  }

  @Test(
    "the alerts of failed refreshes are not kept for a later observer",
    arguments: ContractStage.allCases)
  func unobservedRefreshes(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      for _ in 1...50 {
        await model.refresh()
        try await service.loads.next().fail(ServiceError.busy)
        await model.settle()
      }
      let events = StateRecorder(model.events())
      try model.select(1)
      try await events.first { _ in true }
      #expect(events.states == [.opened(1)])
    }
  }

  @Test(
    "an event that a released observer did not read goes to the next observer",
    arguments: ContractStage.streams)
  func unread(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, _ in
      var unread: AsyncStream<PostsEvent>? = model.events()
      try model.select(1)
      _ = unread.take()
      let events = StateRecorder(model.events())
      try await events.first { $0 == .opened(1) }
    }
  }

  @Test(
    "if two observers are bound, each event goes to only one of them",
    arguments: ContractStage.streams)
  func twoScreens(stage: ContractStage) async throws {
    var screens: [StateRecorder<PostsEvent>] = []
    try await withLoadedPosts(stage, ScriptedPostService(), .numbered(1...100)) { model, _ in
      screens = [StateRecorder(model.events()), StateRecorder(model.events())]
      for number in 1...100 { try model.select(Post.ID(rawValue: number)) }
    }
    var seen: [PostsEvent] = []
    for screen in screens { seen += try await screen.waitForEnd() }
    #expect(seen.count == 100)
    #expect(Set(seen) == Set((1...100).map(PostsEvent.opened)))
  }
}
