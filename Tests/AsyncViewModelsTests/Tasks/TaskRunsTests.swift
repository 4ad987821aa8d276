import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("TaskRuns", .timeLimit(.minutes(5)), .endsWaits)
struct TaskRunsTests {
  @Test("a caller that the run's task removes as the last one returns only after the commit")
  func removedByTheRun() async throws {
    let (runs, tried, committed) = (TaskRuns(.latest), Gate(), Gate())
    let share = try #require(
      runs.start(at: nil, on: Self.self) { _, _ in
        (
          Task {},
          { _ in
            tried.open()
            // In a slot, the caller waits here for the owner, which commits.
            await committed.wait()
          }
        )
      })
    let (queue, commits) = (DispatchQueue(label: "caller"), Tally())
    let caller = Task(executorPreference: QueueTaskExecutor(queue)) {
      await runs.wait(for: share)
      #expect(commits.count == 1)
      tried.open()
    }
    // When this empty block has run, the caller, whose jobs run on the same queue, waits for the run.
    queue.sync {}
    let mayCommit = DispatchSemaphore(value: 0)
    DispatchQueue(label: "owner").async {
      runs.leave(share.run, share.caller) {
        caller.cancel()
        mayCommit.wait()
        commits.increment()
      }
      committed.open()
    }
    await tried.wait()
    mayCommit.signal()
    await caller.value
    #expect(!runs.isRunning)
  }
}
