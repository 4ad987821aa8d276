import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  /// Concurrent queues, barriers, suspended queues and operation queues in a simulated world.
  @Suite("Simulation: concurrent queues", .timeLimit(.minutes(5)))
  struct ConcurrentQueueTests {
    @Test("a concurrent queue runs its blocks in any order, and a barrier separates them")
    func orders() async throws {
      let orders = Mutex<Set<String>>([])
      let summary = try await simulate(
        seeds: 1...10_000, strategy: .exhaustive(preemptions: 5), queues: .simulated
      ) { world in
        let queue = DispatchQueue(label: "queue", attributes: .concurrent)
        let order = Mutex("")
        for name in ["a", "b"] { queue.async { order.withLock { $0 += name } } }
        queue.async(flags: .barrier) { order.withLock { $0 += "|" } }
        for name in ["x", "y"] { queue.async { order.withLock { $0 += name } } }
        await world.settle()
        _ = orders.withLock { all in order.withLock { all.insert($0) } }
      }
      #expect(summary.isExhaustive)
      #expect(orders.withLock { $0 } == ["ab|xy", "ab|yx", "ba|xy", "ba|yx"])
    }

    /// Runs read-modify-write blocks that pause in the middle, and returns the largest number of lost updates.
    private func lostUpdates(_ flags: UInt) async throws {
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let queue = DispatchQueue(label: "cache", attributes: .concurrent)
        let value = Atomic(0)
        for number in 1...3 {
          queue.async(flags: DispatchWorkItemFlags(rawValue: flags)) {
            let before = value.load(ordering: .relaxed)
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(number))
            value.store(before + 1, ordering: .relaxed)
          }
        }
        world.expectEqual(queue.sync(flags: .barrier) { value.load(ordering: .relaxed) }, 3)
      }
    }

    @Test("blocks with a barrier lose no update, and blocks without a barrier do")
    func barriers() async throws {
      try await lostUpdates(DispatchWorkItemFlags.barrier.rawValue)
      try await lostUpdates(DispatchWorkItemFlags([.barrier, .enforceQoS]).rawValue)
      let failure = try await #require(throws: SimulationFailure.self) { try await lostUpdates(0) }
      guard case .expectation(let message, _) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(message == "expected 3, got 1")
    }

    @Test("a reader that calls sync on its concurrent queue waits for a barrier, which waits for the reader")
    func nestedReader() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(queues: .simulated) { world in
          let queue = DispatchQueue(label: "cache", attributes: .concurrent)
          let pause = DispatchSemaphore(value: 0)
          queue.async {
            _ = pause.wait(timeout: .now() + 1)
            queue.sync {}
          }
          world.spawn("writer") { queue.async(flags: .barrier) {} }
        }
      }
      #expect(failure.reason == .unfinished(["queue cache (in DispatchQueue.sync of queue cache)"]))
    }

    @Test("a check and an act in two blocks lose an update")
    func checkThenAct() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(queues: .simulated) { world in
          let queue = DispatchQueue(label: "cache", attributes: .concurrent)
          let loads = Atomic(0)
          let cache = Mutex<Int?>(nil)
          for _ in 1...2 {
            DispatchQueue.global().async {
              guard queue.sync(execute: { cache.withLock { $0 } }) == nil else { return }
              DispatchQueue.global().async {
                queue.async(flags: .barrier) {
                  cache.withLock { $0 = 1 }
                  loads.add(1, ordering: .relaxed)
                }
              }
            }
          }
          await world.settle()
          world.expectEqual(loads.load(ordering: .relaxed), 1)
        }
      }
      #expect("\(failure.reason)".contains("expected 1, got 2"), "\(failure)")
    }

    @Test(
      "a suspended queue runs no block until it is resumed, and an inactive queue none until it is activated")
    func suspension() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let order = Mutex("")
        let queue = DispatchQueue(label: "queue")
        queue.suspend()
        queue.async { order.withLock { $0 += "q" } }
        let inactive = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
        inactive.async { order.withLock { $0 += "i" } }
        await world.settle()
        world.expectEqual(order.withLock { $0 }, "")
        queue.resume()
        await world.settle()
        inactive.activate()
        await world.settle()
        world.expectEqual(order.withLock { $0 }, "qi")
      }
    }

    @Test("two queues with the same serial target exclude each other, also while a block waits")
    func targets() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let target = DispatchQueue(label: "target")
        let isBusy = Atomic(false)
        for name in ["left", "right"] {
          DispatchQueue(label: name, target: target).async {
            world.expect(!isBusy.exchange(true, ordering: .relaxed), "both run")
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
            isBusy.store(false, ordering: .relaxed)
          }
        }
        await world.settle()
        world.expectEqual(world.clock.now.offset, .seconds(2))
      }
    }

    @Test("a queue whose target is the main queue is isolated to the main actor")
    func mainTarget() async throws {
      try await simulate(seeds: 1...50, queues: .simulated) { world in
        let runs = Atomic(0)
        let queue = DispatchQueue(label: "screen", target: .main)
        queue.async {
          MainActor.assumeIsolated {}
          dispatchPrecondition(condition: .onQueue(queue))
          dispatchPrecondition(condition: .onQueue(.main))
          runs.add(1, ordering: .relaxed)
        }
        queue.sync { MainActor.assumeIsolated {} }
        await world.settle()
        world.expectEqual(runs.load(ordering: .relaxed), 1)
      }
    }

    @Test("concurrentPerform runs its iterations in any order, and returns after the last")
    func iterations() async throws {
      let orders = Mutex<Set<[Int]>>([])
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let order = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { number in order.withLock { $0.append(number) } }
        world.expectEqual(order.withLock { $0.count }, 3)
        _ = orders.withLock { all in order.withLock { all.insert($0) } }
      }
      #expect(orders.withLock { $0.count } == 6)
    }

    @Test("an operation queue respects dependencies and its limit, and otherwise runs in any order")
    func operations() async throws {
      let orders = Mutex<Set<String>>([])
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 2
        let order = Mutex("")
        let active = Atomic(0)
        let operations = ["a", "b", "c"].map { name in
          BlockOperation {
            world.expect(active.add(1, ordering: .relaxed).newValue <= 2)
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(world.choose(2)))
            order.withLock { $0 += name }
            active.subtract(1, ordering: .relaxed)
          }
        }
        operations[2].addDependency(operations[0])
        for operation in operations { queue.addOperation(operation) }
        await world.settle()
        world.expectEqual(order.withLock { $0.count }, 3)
        _ = orders.withLock { all in order.withLock { all.insert($0) } }
      }
      #expect(orders.withLock { $0 } == ["abc", "acb", "bac"])
    }
  }
#endif
