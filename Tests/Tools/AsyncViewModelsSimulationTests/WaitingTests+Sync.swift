import AsyncViewModelsSimulation
import Dispatch
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  extension WaitingTests {
    @Test("main.sync from a queue runs on the main actor while the main actor is idle")
    func mainSync() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let shown = Mutex<[Int]>([])
        DispatchQueue.global().async {
          DispatchQueue.main.sync { MainActor.assumeIsolated { shown.withLock { $0.append(1) } } }
          shown.withLock { $0.append(2) }
        }
        await MainActor.run { _ = shown.withLock { $0.count } }
        await world.settle()
        world.expectEqual(shown.withLock { $0 }, [1, 2])
      }
    }

    @Test(
      "main.sync from a block for which the main actor waits is a deadlock, and the failure says who waits in what"
    )
    func mainSyncDeadlock() async throws {
      let failure = try await failure { world in
        let group = DispatchGroup()
        let work: @Sendable () -> Void = { DispatchQueue.main.sync {} }
        await MainActor.run {
          DispatchQueue(label: "worker").async(group: group, execute: work)
          Self.wait(for: group)
        }
      }
      #expect(
        failure.reason
          == .deadlock(waiting: [
            "body (in DispatchGroup.wait)",
            "queue worker (in DispatchQueue.sync of queue com.apple.main-thread)",
          ]))
    }

    @Test("two queues that call sync on each other are a deadlock only in some orders")
    func crossedSync() async throws {
      let failure = try await failure { world in
        let (left, right) = (DispatchQueue(label: "left"), DispatchQueue(label: "right"))
        let gate = DispatchSemaphore(value: 0)
        left.async {
          if world.flip() { _ = gate.wait(timeout: .now() + 1) }
          right.sync {}
        }
        right.async {
          if world.flip() { _ = gate.wait(timeout: .now() + 1) }
          left.sync {}
        }
        await world.settle()
      }
      guard case .unfinished(let names) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(
        Set(names) == [
          "queue left (in DispatchQueue.sync of queue right)",
          "queue right (in DispatchQueue.sync of queue left)",
        ])
    }

    @Test("sync waits for the blocks that were submitted earlier, and other queues run meanwhile")
    func syncOrder() async throws {
      let orders = Mutex<Set<String>>([])
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let (queue, other) = (DispatchQueue(label: "queue"), DispatchQueue(label: "other"))
        let order = Mutex("")
        queue.async { order.withLock { $0 += "1" } }
        other.async { order.withLock { $0 += "x" } }
        queue.async { order.withLock { $0 += "2" } }
        queue.sync {
          dispatchPrecondition(condition: .onQueue(queue))
          order.withLock { $0 += "3" }
        }
        await world.settle()
        _ = orders.withLock { all in order.withLock { all.insert($0) } }
      }
      #expect(orders.withLock { $0 } == ["123x", "12x3", "1x23", "x123"])
    }

    @Test("sync on the queue that is running fails the run, and the process continues")
    func syncOnSameQueue() async throws {
      let failure = try await failure(seeds: 1...1) { world in
        let queue = DispatchQueue(label: "queue")
        queue.async { queue.sync {} }
        await world.settle()
      }
      #expect(
        failure.reason
          == .trapped(
            "queue queue",
            call: "DispatchQueue.sync of queue queue on the queue that is already running this code"))
    }
  }
#endif
