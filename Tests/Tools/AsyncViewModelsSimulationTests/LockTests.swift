import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  /// Locks in a world that interrupts code: who waits for them, and who does not.
  @Suite("Simulation: locks", .timeLimit(.minutes(5)))
  struct LockTests {
    private func failure(
      queues: QueueScheduling = .real, _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
    ) async throws -> SimulationFailure {
      try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1_000, queues: queues, interruptions: .atLocks, body)
      }
    }

    @Test("two locks in different orders are a deadlock, which names who waits where")
    func lockOrder() async throws {
      let failure = try await failure { world in
        let (left, right) = (Guarded(0), Guarded(0))
        world.spawn("first") { left.withLock { _ in right.withLock { $0 += 1 } } }
        world.spawn("second") { right.withLock { _ in left.withLock { $0 += 1 } } }
      }
      let waiting = ["first (in pthread_mutex_lock)", "second (in pthread_mutex_lock)"]
      #expect(failure.reason == .unfinished(waiting))
    }

    @Test("a lock excludes code also while the code that holds it is interrupted")
    func exclusion() async throws {
      let waited = Atomic(0)
      try await simulate(seeds: 1...500, interruptions: .atLocks) { world in
        let (outer, inner) = (Guarded(0), Guarded(0))
        for name in ["first", "second", "third"] {
          world.spawn(name) {
            outer.withLock { users in
              users += 1
              world.expectEqual(users, 1, "users:")
              inner.withLock { $0 += 1 }
              users -= 1
            }
          }
        }
        await world.settle()
        world.expectEqual(inner.withLock(\.self), 3)
        waited.add(1, ordering: .relaxed)
      }
      #expect(waited.load(ordering: .relaxed) > 500)
    }

    @Test("a lock that its owner locks again is a deadlock")
    func lockedTwice() async throws {
      let failure = try await failure { world in
        let lock = Guarded(0)
        world.spawn("owner") { lock.withLock { _ in lock.withLock { $0 += 1 } } }
      }
      #expect(failure.reason == .unfinished(["owner (in pthread_mutex_lock)"]))
    }

    @Test("a Mutex that interrupted code holds is waited for in the world")
    func mutex() async throws {
      let failure = try await failure { world in
        let (mutex, lock) = (Shared(), Guarded(0))
        world.spawn("first") { mutex.value.withLock { _ in lock.withLock { $0 += 1 } } }
        world.spawn("second") { lock.withLock { _ in mutex.value.withLock { $0 += 1 } } }
      }
      #expect("\(failure.reason)".contains("in Mutex.withLock"))
    }

    @Test("a lock with a limit ends its wait in virtual time")
    func timedLock() async throws {
      let timedOut = Atomic(0)
      try await simulate(seeds: 1...300, queues: .simulated, interruptions: .atLocks) { world in
        let lock = NSLock()
        world.spawn("holds") { Self.hold(lock) }
        world.spawn("tries") {
          let start = Date()
          if Self.lock(lock, before: start + 5) { return }
          world.expectEqual(Date().timeIntervalSince(start), 5)
          timedOut.add(1, ordering: .relaxed)
        }
      }
      #expect((1..<300).contains(timedOut.load(ordering: .relaxed)))
    }

    private static func hold(_ lock: NSLock) {
      lock.lock()
      usleep(10_000_000)
      lock.unlock()
    }

    /// Returns whether the lock was free before the date.
    private static func lock(_ lock: NSLock, before date: Date) -> Bool {
      guard lock.lock(before: date) else { return false }
      lock.unlock()
      return true
    }

    @Test("outside a world, a lock with a limit ends its wait in real time")
    func timedLockOutside() async throws {
      try await simulate(seeds: 1...1, interruptions: .atLocks) { _ in }
      let (lock, isHeld, isFreed) = (NSLock(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      async let outside: Void = Self.onThread {
        lock.lock()
        isHeld.signal()
        isFreed.wait()
        lock.unlock()
      }
      await Self.onThread {
        isHeld.wait()
        let isLocked = Self.lock(lock, before: Date() + 0.01)
        isFreed.signal()
        #expect(!isLocked)
      }
      await outside
    }

    @Test("a lock that a suspended task holds is waited for in the world")
    func lockAcrossSuspension() async throws {
      let failure = try await failure(queues: .simulated) { world in
        let (lock, semaphore) = (NSLock(), DispatchSemaphore(value: 0))
        world.spawn("needs") {
          Self.wait(for: semaphore)
          lock.withLock {}
        }
        await world.settle()
        // The first task waits, so another thread runs this one. It is idle when the first task needs the lock.
        world.spawn("holds") {
          Self.keep(lock)
          semaphore.signal()
          try await world.clock.sleep(for: .seconds(1))
        }
      }
      #expect(failure.reason == .unfinished(["needs (in pthread_mutex_lock)"]))
    }

    private static func keep(_ lock: NSLock) { lock.lock() }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test("a lock that a thread outside the world holds for a moment does not fail the run")
    func lockOutside() async throws {
      let lock = Guarded(0)
      let isOver = Atomic(false)
      async let outside: Void = Self.onThread {
        while !isOver.load(ordering: .acquiring) { lock.withLock { $0 += 1 } }
      }
      try await simulate(seeds: 1...300, interruptions: .atLocks) { world in
        let own = Guarded(0)
        for name in ["first", "second"] {
          world.spawn(name) { own.withLock { _ in lock.withLock { $0 += 1 } } }
        }
      }
      isOver.store(true, ordering: .releasing)
      await outside
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          body()
          continuation.resume()
        }
      }
    }

    @Test("the objects of a block are released in the step of the block")
    func releaseOfABlock() async throws {
      try await simulate(seeds: 1...300, queues: .simulated, interruptions: .atLocks) { world in
        let lock = Guarded(0)
        world.spawn("holds") { lock.withLock { _ in Guarded(0).withLock { $0 += 1 } } }
        let owner = OnRelease { lock.withLock { $0 += 1 } }
        DispatchQueue(label: "releases").async { [owner] in withExtendedLifetime(owner) {} }
        await world.settle()
      }
    }

    private final class OnRelease: Sendable {
      private let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      deinit { body() }
    }

    private final class Shared: Sendable {
      let value = Mutex(0)
    }
  }
#endif
