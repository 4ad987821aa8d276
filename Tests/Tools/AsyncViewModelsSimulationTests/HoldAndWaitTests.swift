import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  /// Calls that can wait are choices of the seed also if they do not wait.
  @Suite("Simulation: calls that can wait", .timeLimit(.minutes(5)))
  struct HoldAndWaitTests {
    /// A call that can wait, and does not.
    enum Call: String, CaseIterable {
      case sync, barrierSync, semaphore, group, item

      func make() -> @Sendable () -> Void {
        let queue = DispatchQueue(label: "free", attributes: self == .barrierSync ? .concurrent : [])
        let (semaphore, group) = (DispatchSemaphore(value: 1), DispatchGroup())
        let item = DispatchWorkItem {}
        if self == .item { item.perform() }
        nonisolated(unsafe) let finished = item
        return {
          switch self {
          case .sync: queue.sync {}
          case .barrierSync: queue.sync(flags: .barrier) {}
          case .semaphore:
            semaphore.wait()
            semaphore.signal()
          case .group: group.wait()
          case .item: unsafe finished.wait()
          }
        }
      }
    }

    @Test(
      "other code runs before a call that can wait in some runs, and after it in others",
      arguments: Call.allCases)
    func otherCodeFirst(call: Call) async throws {
      let early = Atomic(0)
      let summary = try await simulate(seeds: 1...300, queues: .simulated) { world in
        let call = call.make()
        let hasRun = Atomic(false)
        DispatchQueue(label: "other").async { hasRun.store(true, ordering: .relaxed) }
        // One step without the choice, because the body does not suspend.
        let before = hasRun.load(ordering: .relaxed)
        call()
        world.expect(!before, "the block runs before the body has made a call")
        if hasRun.load(ordering: .relaxed) { early.add(1, ordering: .relaxed) }
        await world.settle()
      }
      #expect(summary.distinctSchedules > 1)
      #expect((1..<300).contains(early.load(ordering: .relaxed)))
    }

    @Test("two tasks that block the pool while they wait for a third one are a deadlock that names them")
    func poolIsBlocked() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...100, queues: .simulated) { world in
          for number in 1...2 { world.spawn("waits \(number)") { Self.waitForTask() } }
          await world.settle()
        }
      }
      guard case .deadlock(let waiting) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      for number in 1...2 {
        let name =
          "waits \(number) (in DispatchSemaphore.wait, which blocks one of 2 threads of the concurrency pool"
        #expect(waiting.contains { $0.hasPrefix(name) }, "\(waiting)")
      }
    }

    @Test("one task that waits for another does not block the pool")
    func poolHasAThread() async throws {
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let waiter = world.spawn("waits") { Self.waitForTask() }
        await waiter.waitForEnd()
      }
    }

    @Test("blocks of queues that wait for tasks do not block the pool")
    func queuesAreNotInThePool() async throws {
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        for number in 1...4 { DispatchQueue(label: "\(number)").async { Self.waitForTask() } }
        await world.settle()
      }
    }

    @Test("a wait with a time limit gives its thread of the pool back")
    func timeLimit() async throws {
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        for number in 1...3 {
          world.spawn("waits \(number)") { Self.waitForTask(until: .now() + 1) }
        }
        await world.settle()
      }
    }

    private static func waitForTask(until deadline: DispatchTime = .distantFuture) {
      let hasRun = DispatchSemaphore(value: 0)
      Task { hasRun.signal() }
      _ = hasRun.wait(timeout: deadline)
    }
  }
#endif
