import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The async stage of the posts: a cancelled caller, and calls on the main actor.
@Suite("Posts, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct PostsViewModelTests {
  @Test("a deletion continues if its caller is cancelled, and the caller still gets the result")
  func cancelledCaller() async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedPostService()
      let model = tracker.track(PostsViewModel(service: service))
      let load = Task { await model.load() }
      try await service.loads.next().succeed(.numbered(1...3))
      await load.value
      let deletion = Task { try await model.delete(1) }
      let call = try await service.deletions.next()
      deletion.cancel()
      #expect(!call.isCancelled)
      call.fail(ServiceError.busy)
      await #expect(throws: ServiceError.busy) { try await deletion.value }
      #expect(model.state.posts == .numbered(1...3))
    }
  }

  @Test("on the main actor, a post is selected without a suspension, and the event is kept for an observer")
  @MainActor
  func selectOnMain() async throws {
    let service = ScriptedPostService()
    let model = PostsViewModel(service: service, isolation: MainActor.shared)
    let load = Task { await model.load() }
    try await service.loads.next().succeed(.numbered(1...3))
    await load.value
    try model.select(2)
    #expect(throws: PostError.unknownPost(9)) { try model.select(9) }
    try await StateRecorder(model.events()).first { $0 == .opened(2) }
  }
}
