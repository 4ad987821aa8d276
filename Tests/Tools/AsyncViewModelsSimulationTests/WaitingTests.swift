import AsyncViewModels
import AsyncViewModelsSimulation
import Dispatch
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  /// Code that waits in a simulated world: for a group, an item, a semaphore or a queue.
  @Suite("Simulation: waits in synchronous code", .timeLimit(.minutes(5)))
  struct WaitingTests {
    func failure(
      seeds: ClosedRange<UInt64> = 1...1_000,
      _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
    ) async throws -> SimulationFailure {
      try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: seeds, queues: .simulated, body)
      }
    }

    @Test("group.wait returns after the last leave, and other tasks run meanwhile")
    func groupWait() async throws {
      let overtakes = Atomic(0)
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let group = DispatchGroup()
        let done = Atomic(0)
        let seen = Atomic(0)
        for number in 1...3 {
          DispatchQueue(label: "worker \(number)").async(group: group) { done.add(1, ordering: .relaxed) }
        }
        world.spawn("other") { seen.store(1, ordering: .relaxed) }
        Self.wait(for: group)
        world.expectEqual(done.load(ordering: .relaxed), 3)
        overtakes.add(seen.load(ordering: .relaxed), ordering: .relaxed)
      }
      #expect((1..<300).contains(overtakes.load(ordering: .relaxed)))
    }

    @Test("a job that waits after it has left a plain actor does not hold the actor")
    func waitAfterLeavingAnActor() async throws {
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let box = Box()
        let semaphore = DispatchSemaphore(value: 0)
        world.spawn("waits") {
          await box.touch()
          Self.wait(for: semaphore)
        }
        world.spawn("signals") {
          await box.touch()
          semaphore.signal()
        }
      }
    }

    private actor Box {
      func touch() {}
    }

    @Test("a wait with a timeout ends in virtual time, or earlier if the group is empty")
    func timeout() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let group = DispatchGroup()
        group.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + 100) { group.leave() }
        world.expectEqual(Self.wait(for: group, seconds: 60), .timedOut)
        world.expectEqual(world.clock.now.offset, .seconds(60))
        world.expectEqual(Self.wait(for: group, seconds: 60), .success)
        world.expectEqual(world.clock.now.offset, .seconds(100))
      }
    }

    @Test("two blocks that wait for each other's signals keep their own threads, so both end")
    func crossedWaits() async throws {
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let (ping, pong) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let rounds = Atomic(0)
        DispatchQueue(label: "ping").async {
          for _ in 1...3 {
            ping.signal()
            pong.wait()
            rounds.add(1, ordering: .relaxed)
          }
        }
        DispatchQueue(label: "pong").async {
          for _ in 1...3 {
            ping.wait()
            pong.signal()
          }
        }
        await world.settle()
        world.expectEqual(rounds.load(ordering: .relaxed), 3)
      }
    }

    @Test("a semaphore limits the number of blocks in progress")
    func limit() async throws {
      let highest = Atomic(0)
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let semaphore = DispatchSemaphore(value: 2)
        let active = Atomic(0)
        let finished = DispatchSemaphore(value: 0)
        for number in 1...4 {
          DispatchQueue.global().async {
            semaphore.wait()
            let count = active.add(1, ordering: .relaxed).newValue
            world.expect(count <= 2)
            highest.max(count, ordering: .relaxed)
            _ = finished.wait(timeout: .now() + .seconds(number))
            active.subtract(1, ordering: .relaxed)
            semaphore.signal()
          }
        }
        await world.settle()
      }
      #expect(highest.load(ordering: .relaxed) == 2)
    }

    @Test("a leave without an enter fails the run, and the process continues")
    func unbalancedLeave() async throws {
      let failure = try await failure { world in
        let group = DispatchGroup()
        let hasLeft = StateStore(false)
        group.enter()
        for queue in ["answer", "timeout"] {
          // The check and the change are separate steps.
          DispatchQueue(label: queue).async {
            guard !hasLeft.value else { return }
            Task {
              group.leave()
              hasLeft.update { $0 = true }
            }
          }
        }
        await world.settle()
      }
      guard case .trapped(_, "DispatchGroup.leave() without a matching enter()") = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
    }

    @Test("a notification that is requested before the first enter comes too early in every run")
    func notifyBeforeEnter() async throws {
      let failure = try await failure { world in
        let group = DispatchGroup()
        let isDone = Atomic(false)
        group.notify(queue: DispatchQueue(label: "callbacks")) {
          world.expect(isDone.load(ordering: .relaxed), "notified too early")
        }
        group.enter()
        DispatchQueue(label: "work").async {
          isDone.store(true, ordering: .relaxed)
          group.leave()
        }
        await world.settle()
      }
      guard case .expectation("notified too early", _) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
    }

    @Test("a notification keeps its place among the blocks of its queue")
    func notificationOrder() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "queue")
        let order = Mutex("")
        group.enter()
        group.notify(queue: queue) { order.withLock { $0 += "n" } }
        group.leave()
        queue.async { order.withLock { $0 += "b" } }
        let item = DispatchWorkItem {}
        item.notify(queue: queue) { order.withLock { $0 += "i" } }
        item.perform()
        queue.async { order.withLock { $0 += "c" } }
        await world.settle()
        world.expectEqual(order.withLock { $0 }, "nbic")
      }
    }

    @Test("item.wait and item.notify come after the item, also if the item is cancelled")
    func items() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let order = Mutex<[String]>([])
        let queue = DispatchQueue(label: "queue")
        let item = DispatchWorkItem { order.withLock { $0.append("item") } }
        item.notify(queue: .global()) { order.withLock { $0.append("notified") } }
        queue.async(execute: item)
        Self.wait(for: item)
        world.expectEqual(order.withLock { $0.first }, "item")
        let cancelled = DispatchWorkItem { world.fail("a cancelled item ran") }
        queue.async(execute: cancelled)
        cancelled.cancel()
        Self.wait(for: cancelled)
        await world.settle()
        world.expectEqual(order.withLock { $0 }, ["item", "notified"])
      }
    }

    @Test("an item that is waited for but never submitted is a deadlock")
    func forgottenItem() async throws {
      let failure = try await failure(seeds: 1...1) { _ in Self.wait(for: DispatchWorkItem {}) }
      #expect(failure.reason == .deadlock(waiting: ["body (in DispatchWorkItem.wait)"]))
    }

    @Test("the simulation finds a lost wake-up between a check and a wait")
    func lostWakeUp() async throws {
      let failure = try await failure { world in
        let wakeUp = DispatchSemaphore(value: 0)
        let isReady = Atomic(false)
        let isWaiting = Atomic(false)
        world.spawn("waiting") {
          guard !isReady.load(ordering: .relaxed) else { return }
          await Task.yield()
          isWaiting.store(true, ordering: .relaxed)
          Self.wait(for: wakeUp)
        }
        world.spawn("waking") {
          isReady.store(true, ordering: .relaxed)
          if isWaiting.load(ordering: .relaxed) { wakeUp.signal() }
        }
      }
      #expect(failure.reason == .unfinished(["waiting (in DispatchSemaphore.wait)"]))
      #expect(
        failure.seed != nil && failure.timeline.contains { $0.contains("waits in DispatchSemaphore.wait") })
    }

    @Test("an isolation, whose job waits, runs no other job")
    func isolationWaits() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let semaphore = DispatchSemaphore(value: 0)
        let order = StateStore("")
        let first = world.spawn("first") { @MainActor in
          order.update { $0 += "(" }
          Self.wait(for: semaphore)
          order.update { $0 += ")" }
        }
        let second = world.spawn("second") { @MainActor in order.update { $0 += "x" } }
        world.spawn("signal") { semaphore.signal() }
        await first.waitForEnd()
        await second.waitForEnd()
        world.expect(!order.value.contains("(x)"))
      }
    }

    @Test("a run that fails while a semaphore is in use does not end the process")
    func semaphoreInUse() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated, stepLimit: 100) { world in
          Self.signalLater()
          await world.spawn("spinning") { while true { await Task.yield() } }.waitForEnd()
        }
      }
      #expect(failure.reason == .livelock(steps: 100, running: "spinning"))
    }

    /// Takes a semaphore and returns it in a block that never runs.
    private static func signalLater() {
      let semaphore = DispatchSemaphore(value: 1)
      semaphore.wait()
      DispatchQueue(label: "queue").asyncAfter(deadline: .now() + 1) { semaphore.signal() }
    }

    @Test("a loop that polls with a timeout of zero is a livelock, not a hang")
    func polling() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated, stepLimit: 500) { _ in
          let semaphore = DispatchSemaphore(value: 0)
          while Self.wait(for: semaphore, seconds: 0) == .timedOut {}
        }
      }
      #expect(failure.reason == .livelock(steps: 500, running: "body"))
    }

    @Test("an expectation after a wait fails the run, and the failure names its line")
    func expectationAfterWait() async throws {
      let failure = try await failure(seeds: 1...1) { world in
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue(label: "left").async {
          first.wait()
          #expect(Bool(false), "after the wait")
          second.signal()
        }
        DispatchQueue(label: "right").async {
          first.signal()
          second.wait()
          #expect(Bool(false), "second")
        }
        await world.settle()
      }
      guard case .expectation(let message, _) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(message.contains("after the wait") && !message.contains("detached"), "\(failure)")
    }

    // Synchronous, because async code may not wait.

    static func wait(for group: DispatchGroup) { group.wait() }

    private static func wait(for group: DispatchGroup, seconds: Int) -> DispatchTimeoutResult {
      group.wait(timeout: .now() + .seconds(seconds))
    }

    private static func wait(for item: DispatchWorkItem) { item.wait() }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    private static func wait(for semaphore: DispatchSemaphore, seconds: Int) -> DispatchTimeoutResult {
      semaphore.wait(timeout: .now() + .seconds(seconds))
    }
  }
#endif
