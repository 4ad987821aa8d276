import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What only the async stage of the posts can do.
@Suite("Posts: the async stage alone", .timeLimit(.minutes(1)))
struct PostsViewModelTests {
  @Test("an intent can be awaited, and a load ends with the refresh that took its place")
  func awaiting() async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedPostService()
      let model = tracker.track(PostsViewModel(service: service))
      let first = await model.load()
      let joined = await model.load()
      #expect(joined == first)
      try await service.loads.next().succeed(.numbered(1...3))
      await joined.value
      #expect(model.state.posts == .numbered(1...3))
      let refreshed = await model.refresh()
      try await service.loads.next().succeed(.numbered(2...3))
      await refreshed.value
      #expect(model.state.posts == .numbered(2...3))
    }
  }

  @Test("cancelling the task that a deletion returned stops nothing")
  func cancelledWaiter() async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedPostService()
      let model = tracker.track(PostsViewModel(service: service))
      let load = await model.load()
      try await service.loads.next().succeed(.numbered(1...3))
      await load.value
      let deleted = await model.delete(1)
      let call = try await service.deletions.next()
      deleted.cancel()
      #expect(!call.isCancelled)
      call.succeed()
      try await deleted.value
      #expect(model.state.posts == .numbered(2...3))
    }
  }

  @Test("hosted on the main actor, a post is chosen from there without waiting, before anybody is bound")
  @MainActor
  func hostedOnMain() async throws {
    let service = ScriptedPostService()
    let model = PostsViewModel(service: service, isolation: MainActor.shared)
    let load = loadOnMain(model)
    try await service.loads.next().succeed(.numbered(1...3))
    await load.value
    try selectOnMain(2, model)
    #expect(throws: PostError.unknownPost(9)) { try selectOnMain(9, model) }
    try await StateRecorder(model.events()).first { $0 == .opened(2) }
  }

  @MainActor
  private func loadOnMain(_ model: PostsViewModel) -> Task<Void, Never> {
    model.assumeIsolated { $0.load() }
  }

  @MainActor
  private func selectOnMain(_ id: Post.ID, _ model: PostsViewModel) throws {
    try model.assumeIsolated { try $0.select(id) }
  }
}
