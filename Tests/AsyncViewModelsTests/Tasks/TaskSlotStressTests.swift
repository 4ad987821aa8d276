import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing

@Suite("TaskSlot: stress", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotStressTests {
  /// An owner whose slot is cancelled repeatedly while the work in the slot ends.
  private actor Owner {
    private let slot: TaskSlot
    private var isCancelled = true
    private(set) var lateCommits = 0

    init(_ policy: TaskSlot.Policy) { slot = TaskSlot(policy) }

    var isRunning: Bool { slot.isRunning }

    func start() -> TaskSlot.Run {
      isCancelled = false
      return slot.start(on: self) {
        await Task.yield()
      } commit: { owner, _ in
        if owner.isCancelled { owner.lateCommits += 1 }
      }
    }

    func cancel() {
      slot.cancel()
      isCancelled = true
    }
  }

  @Test(
    "100 slots commit nothing between a cancel and the next start, and at the end nothing runs",
    arguments: TaskSlot.Policy.all)
  func cancels(policy: TaskSlot.Policy) async throws {
    try await LeakTracker.check { tracker in
      let owners = (0..<100).map { _ in tracker.track(Owner(policy)) }
      await withTaskGroup { group in
        for owner in owners {
          group.addTask {
            var started: [TaskSlot.Run] = []
            for round in 0..<100 {
              started.append(await owner.start())
              if round % 3 != 0 { started.append(await owner.start()) }
              if round % 2 == 0 { await Task.yield() }
              await owner.cancel()
            }
            for run in started { await run.wait() }
          }
        }
      }
      for owner in owners {
        #expect(await owner.lateCommits == 0)
        #expect(await owner.isRunning == false)
      }
    }
  }
}
