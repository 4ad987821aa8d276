import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let lostEvents = Probe(
    "lost events", "10 navigations: 5 before a screen is bound, 5 with two bound screens",
    wanted: .exactly(0, of: 10, "lost")
  ) { stage in
    let service = ScriptedPostService()
    guard stage == .closure else {
      let posts = stage.makePosts(service: service)
      let states = StateRecorder(posts.states())
      await posts.load()
      try await service.loads.next().succeed(Page(items: .numbered(1...10), next: nil))
      try await states.first { $0.content.value != nil }
      return [10 - (try await eventsRead(posts.events, posts.select))]
    }
    let (events, screens) = AsyncStream<PostsEvent>.makeStream()
    let (posts, callbacks) = try await loadedPosts()
    for number in 1...5 { try posts.select(Post.ID(rawValue: number)) }
    let bindings = (1...2).map { _ in posts.bindEvents { screens.yield($0) } }
    for number in 6...10 { try posts.select(Post.ID(rawValue: number)) }
    await drain(callbacks)
    for binding in bindings { binding.cancel() }
    screens.finish()
    return [10 - Set(try await StateRecorder(events).waitForEnd()).count]
  }
  .variant(of: .closure, "with an `EventChannel` that its observer fills") {
    let channel = EventChannel<PostsEvent>()
    let (posts, _) = try await loadedPosts()
    let binding = posts.bindEvents { channel.keepForFirstObserver($0) }
    let read = try await eventsRead({ channel.stream() }, posts.select)
    binding.cancel()
    return [10 - read]
  }

  private static func loadedPosts() async throws -> (PostsClosureViewModel, callbacks: DispatchQueue) {
    let (service, callbacks) = (ScriptedPostService(), DispatchQueue(label: "callbacks"))
    let posts = PostsClosureViewModel(service: service, callbackQueue: callbacks)
    posts.load()
    try await service.loads.next().succeed(Page(items: .numbered(1...10), next: nil))
    try await until { posts.state.content.value != nil }
    return (posts, callbacks)
  }

  /// How many of ten different events reach at least one of two screens that read streams.
  private static func eventsRead(
    _ events: () -> AsyncStream<PostsEvent>, _ select: (Post.ID) throws -> Void
  ) async throws -> Int {
    let (read, screens) = AsyncStream<PostsEvent>.makeStream()
    let log = StateRecorder(read)
    for number in 1...5 { try select(Post.ID(rawValue: number)) }
    let readers = [events(), events()].map { events in
      Task { for await event in events { screens.yield(event) } }
    }
    for number in 6...10 { try select(Post.ID(rawValue: number)) }
    try await log.waitForStates(10)
    for reader in readers { reader.cancel() }
    return Set(log.states).count
  }
}
