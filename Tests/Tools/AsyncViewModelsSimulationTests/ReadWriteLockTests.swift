import AsyncViewModelsSimulation
import Foundation
import Synchronization
import Testing

#if !canImport(Darwin)
  /// Locks with one writer or several readers, in a world that interrupts code.
  @Suite("Simulation: read-write locks", .timeLimit(.minutes(5)))
  struct ReadWriteLockTests {
    private func failure(
      _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
    ) async throws -> SimulationFailure {
      try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1_000, interruptions: .atLocks, body)
      }
    }

    @Test("an interrupted writer excludes readers and writers, and the others wait in the world")
    func exclusion() async throws {
      try await simulate(seeds: 1...500, interruptions: .atLocks) { world in
        let (lock, inner) = (ReadWriteLock(), NSLock())
        let value = Mutex(0)
        for number in 1...2 {
          world.spawn("writer \(number)") {
            lock.write {
              let before = value.withLock { $0 }
              inner.withLock {}
              value.withLock { $0 = before + 1 }
            }
          }
        }
        world.spawn("reader") {
          lock.read {
            let first = value.withLock { $0 }
            inner.withLock {}
            world.expectEqual(value.withLock { $0 }, first)
          }
        }
        await world.settle()
        world.expectEqual(value.withLock { $0 }, 2)
      }
    }

    @Test("two readers hold the lock at the same time")
    func sharing() async throws {
      let together = Mutex(false)
      try await simulate(seeds: 1...200, interruptions: .atLocks) { world in
        let (lock, inner) = (ReadWriteLock(), NSLock())
        let readers = Mutex(0)
        for number in 1...2 {
          world.spawn("reader \(number)") {
            lock.read {
              if readers.withLock({
                $0 += 1; return $0
              }) == 2 {
                together.withLock { $0 = true }
              }
              inner.withLock {}
              readers.withLock { $0 -= 1 }
            }
          }
        }
        await world.settle()
      }
      #expect(together.withLock { $0 })
    }

    @Test("a check and an act in two sections are found")
    func twoSections() async throws {
      let failure = try await failure { world in
        let lock = ReadWriteLock()
        let made = Mutex(0)
        let value = Mutex<Int?>(nil)
        for number in 1...2 {
          world.spawn("\(number)") {
            guard lock.read({ value.withLock { $0 } }) == nil else { return }
            lock.write { value.withLock { $0 = number } }
            made.withLock { $0 += 1 }
          }
        }
        await world.settle()
        world.expectEqual(made.withLock { $0 }, 1)
      }
      #expect("\(failure.reason)".contains("expected 1, got 2"))
    }

    @Test("two locks in different orders are a deadlock, also between readers and writers")
    func order() async throws {
      let failure = try await failure { world in
        let (left, right) = (ReadWriteLock(), ReadWriteLock())
        world.spawn("first") { left.read { right.write {} } }
        world.spawn("second") { right.read { left.write {} } }
      }
      let waiting = ["first (in pthread_rwlock_wrlock)", "second (in pthread_rwlock_wrlock)"]
      #expect(failure.reason == .unfinished(waiting))
    }

    @Test("a reader that locks for writing is a deadlock, and a writer that locks again gets an error")
    func upgrade() async throws {
      let failure = try await failure { world in
        let lock = ReadWriteLock()
        world.spawn("reader") { lock.read { lock.write {} } }
      }
      #expect(failure.reason == .unfinished(["reader (in pthread_rwlock_wrlock)"]))
      try await simulate(seeds: 1...10, interruptions: .atLocks) { world in
        let lock = ReadWriteLock()
        world.spawn("writer") { lock.write { world.expectEqual(lock.lockForReading(), EDEADLK) } }
      }
    }

    @Test("a lock with a limit ends its wait in virtual time")
    func limit() async throws {
      try await simulate(seeds: 1...100, interruptions: .atLocks) { world in
        let (lock, inner) = (ReadWriteLock(), NSLock())
        world.spawn("holder") { sleep(lock, 60) }
        world.spawn("waiter") {
          inner.withLock {}
          let result = lock.lockForReading(within: 5)
          world.expect(result == 0 || result == ETIMEDOUT && world.clock.now.offset < .seconds(60))
          if result == 0 { lock.unlock() }
        }
        await world.settle()
      }
    }
  }

  private func sleep(_ lock: ReadWriteLock, _ seconds: Double) {
    lock.write { Thread.sleep(forTimeInterval: seconds) }
  }

  /// `@unchecked Sendable`: the lock is made for several threads.
  @safe private final class ReadWriteLock: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { unsafe pthread_rwlock_init(lock, nil) }

    deinit {
      unsafe pthread_rwlock_destroy(lock)
      unsafe lock.deallocate()
    }

    func read<Result>(_ body: () -> Result) -> Result {
      unsafe pthread_rwlock_rdlock(lock)
      defer { unlock() }
      return body()
    }

    func write<Result>(_ body: () -> Result) -> Result {
      unsafe pthread_rwlock_wrlock(lock)
      defer { unlock() }
      return body()
    }

    func lockForReading() -> Int32 { unsafe pthread_rwlock_rdlock(lock) }

    func lockForReading(within seconds: Int) -> Int32 {
      var deadline = timespec()
      unsafe clock_gettime(CLOCK_REALTIME, &deadline)
      deadline.tv_sec += seconds
      return unsafe pthread_rwlock_timedrdlock(lock, &deadline)
    }

    func unlock() { unsafe pthread_rwlock_unlock(lock) }
  }
#endif
