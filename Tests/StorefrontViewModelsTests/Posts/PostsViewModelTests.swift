import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The async stage of the posts: a cancelled caller, a close, and calls on the main actor.
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

  @Test("a change that waits at the close fails with the closing error, not with a cancellation")
  func waitingChange() async throws {
    let service = ScriptedPostService()
    // On a queue, because the close blocks its thread.
    let model = PostsViewModel(service: service, isolation: QueueIsolation(DispatchQueue(label: "posts")))
    let load = Task { await model.load() }
    try await service.loads.next().succeed(.numbered(1...3))
    await load.value
    let deletion = Task { try await model.delete(2) }
    let call = try await service.deletions.next()
    let hasEnded = DispatchSemaphore(value: 0)
    let restoration = Task {
      defer { hasEnded.signal() }
      try await model.restore(2)
    }
    try await StateRecorder(model.states()).first { $0.restorationCount == 1 }
    // Runs on the thread of the close, which waits at the end of the states until the waiting
    // change has ended.
    let reader = Task(executorPreference: ImmediateExecutor()) {
      for await _ in model.states(.unbounded) {}
      hasEnded.waitForSignal()
    }
    await model.close()
    await reader.value
    await #expect(throws: PostError.closed) { try await restoration.value }
    await #expect(throws: PostError.closed) { try await deletion.value }
    call.succeed()
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

/// Runs each job at once, on the thread that enqueues the job.
private final class ImmediateExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

extension DispatchSemaphore {
  /// Blocks the thread. The wait also ends if the signal is lost.
  fileprivate func waitForSignal() { _ = wait(timeout: .now() + 60) }
}
