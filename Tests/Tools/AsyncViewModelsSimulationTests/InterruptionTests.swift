import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  /// Code that is interrupted at locks, at resumptions and where it starts other work.
  @Suite("Simulation: interruptions at locks", .timeLimit(.minutes(5)))
  struct InterruptionTests {
    private func failure(
      queues: QueueScheduling = .real, _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
    ) async throws -> SimulationFailure {
      try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1_000, queues: queues, interruptions: .atLocks, body)
      }
    }

    private static func loseUpdate(in world: SimulatedWorld) async {
      let count = Guarded(0)
      for name in ["first", "second"] {
        world.spawn(name) {
          let before = count.withLock(\.self)
          count.withLock { $0 = before + 1 }
        }
      }
      await world.settle()
      world.expectEqual(count.withLock(\.self), 2)
    }

    @Test("code between two locked sections is interrupted if this is asked for, and not otherwise")
    func lostUpdate() async throws {
      let failure = try await failure { await Self.loseUpdate(in: $0) }
      #expect("\(failure)".contains("expected 2, got 1"))
      #expect("\(failure)".contains("is interrupted before a lock"))
      try await simulate(seeds: 1...200) { await Self.loseUpdate(in: $0) }
    }

    @Test("the path of a failure replays it")
    func replay() async throws {
      let failure = try await failure { await Self.loseUpdate(in: $0) }
      let again = await #expect(throws: SimulationFailure.self) {
        try await simulate(replaying: failure.path, interruptions: .atLocks) { await Self.loseUpdate(in: $0) }
      }
      #expect(again?.reason == failure.reason)
    }

    @Test("an exhaustive simulation tries each interruption")
    func exhaustive() async throws {
      let strategy = SimulationStrategy.exhaustive(preemptions: 2)
      await #expect(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...10_000, strategy: strategy, interruptions: .atLocks) {
          await Self.loseUpdate(in: $0)
        }
      }
      let summary = try await simulate(seeds: 1...10_000, strategy: strategy, interruptions: .atLocks) {
        world in
        let count = Guarded(0)
        for name in ["first", "second"] { world.spawn(name) { count.withLock { $0 += 1 } } }
        await world.settle()
        world.expectEqual(count.withLock(\.self), 2)
      }
      #expect(summary.isExhaustive && summary.distinctSchedules > 4)
    }

    @Test("an actor that is interrupted lets no other code in", arguments: [true, false])
    func actorStaysExclusive(isOnIsolation: Bool) async throws {
      try await simulate(seeds: 1...300, interruptions: .atLocks) { world in
        let plain = PlainCounter()
        let lock = Guarded(0)
        for name in ["first", "second"] {
          world.spawn(name) {
            if isOnIsolation { await Self.enter(lock, in: world) } else { await plain.enter(lock, in: world) }
          }
        }
      }
    }

    @MainActor private static var users = 0

    @MainActor
    private static func enter(_ lock: Guarded<Int>, in world: SimulatedWorld) {
      users += 1
      lock.withLock { $0 += 1 }
      world.expectEqual(users, 1, "users:")
      users -= 1
    }

    private actor PlainCounter {
      private var users = 0

      func enter(_ lock: Guarded<Int>, in world: SimulatedWorld) {
        users += 1
        lock.withLock { $0 += 1 }
        world.expectEqual(users, 1, "users:")
        users -= 1
      }
    }

    @Test("a task can run before the code that has created it continues")
    func createdTask() async throws {
      let failure = try await failure { world in
        let isStored = Unguarded(false)
        let task = Task { world.expect(isStored.value, "the task runs before it is stored") }
        isStored.value = true
        await task.value
      }
      #expect("\(failure)".contains("is interrupted after a task is created"))
    }

    @Test("a resumed task can run before the code that has resumed it continues")
    func resumption() async throws {
      let failure = try await failure { world in
        let (waiter, isDone) = (Guarded<CheckedContinuation<Void, Never>?>(nil), Unguarded(false))
        world.spawn("waits") {
          await withCheckedContinuation { continuation in waiter.withLock { $0 = continuation } }
          world.expect(isDone.value, "resumed before the work is done")
        }
        await world.settle()
        waiter.withLock { $0.take() }?.resume()
        isDone.value = true
      }
      #expect("\(failure)".contains("is interrupted after a resumption"))
    }

    @Test("a task that is resumed with an error can run before the code that has resumed it continues")
    func resumptionWithError() async throws {
      let failure = try await failure { world in
        let (waiter, isDone) = (Guarded<CheckedContinuation<Void, any Error>?>(nil), Unguarded(false))
        world.spawn("waits") {
          try? await withCheckedThrowingContinuation { continuation in waiter.withLock { $0 = continuation } }
          world.expect(isDone.value, "resumed before the work is done")
        }
        await world.settle()
        waiter.withLock { $0.take() }?.resume(throwing: CancellationError())
        isDone.value = true
      }
      #expect("\(failure)".contains("is interrupted after a resumption"))
    }

    @Test("a block can run before the code that has submitted it continues")
    func submission() async throws {
      let failure = try await failure(queues: .simulated) { world in
        let isSet = Unguarded(false)
        DispatchQueue.global().async { world.expect(isSet.value, "too early") }
        isSet.value = true
        await world.settle()
      }
      #expect("\(failure)".contains("is interrupted after a block is submitted"))
    }

    @Test("queues with a common target exclude each other, also while a block is interrupted")
    func target() async throws {
      try await simulate(seeds: 1...300, queues: .simulated, interruptions: .atLocks) { world in
        let target = DispatchQueue(label: "target")
        let (users, lock) = (Unguarded(0), Guarded(0))
        for label in ["left", "right"] {
          DispatchQueue(label: label, target: target).async {
            users.value += 1
            lock.withLock { $0 += 1 }
            world.expectEqual(users.value, 1, "users:")
            users.value -= 1
          }
        }
        await world.settle()
      }
    }

    @Test(
      "an event handler of a timer is not called while it is interrupted, and the cancel handler comes later")
    func timer() async throws {
      try await simulate(seeds: 1...300, queues: .simulated, interruptions: .atLocks) { world in
        let timer = Unguarded(DispatchSource.makeTimerSource())
        let (users, lock, isOver) = (Unguarded(0), Guarded(0), Unguarded(false))
        timer.value.setEventHandler {
          users.value += 1
          lock.withLock { $0 += 1 }
          world.expectEqual(users.value, 1, "handlers:")
          users.value -= 1
        }
        timer.value.setCancelHandler {
          world.expectEqual(users.value, 0, "handlers at the end:")
          isOver.value = true
        }
        timer.value.schedule(deadline: .now() + 1)
        timer.value.activate()
        world.spawn("again") {
          try await world.clock.sleep(for: .seconds(1))
          timer.value.schedule(deadline: .now())
          lock.withLock { $0 += 1 }
          timer.value.cancel()
        }
        await world.settle()
        world.expect(isOver.value, "not cancelled")
      }
    }

    @Test("a loop that tries a lock until it is free ends")
    func polling() async throws {
      // In one order, the lock is held by interrupted code, and by default the loop continues.
      try await simulate(
        seeds: 1...10_000, strategy: .exhaustive(preemptions: 1), interruptions: .atLocks
      ) { world in
        let lock = NSLock()
        for name in ["first", "second"] {
          world.spawn(name) { Self.poll(lock) }
        }
      }
    }

    private static func poll(_ lock: NSLock) {
      while !lock.try() {}
      let inner = NSLock()
      inner.withLock {}
      lock.unlock()
    }

    @Test("the initial value of a global variable is one step")
    func globalVariable() async throws {
      // The first run initializes the variable.
      try await simulate(seeds: 1...100, interruptions: .atLocks) { world in
        for name in ["first", "second"] { world.spawn(name) { world.expectEqual(Self.total, 1) } }
      }
    }

    private static let total: Int = {
      let lock = Guarded(0)
      lock.withLock { $0 += 1 }
      return lock.withLock(\.self)
    }()
  }
#endif
