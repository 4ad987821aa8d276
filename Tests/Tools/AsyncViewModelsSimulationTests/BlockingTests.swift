import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#endif

#if !canImport(Darwin)
  /// Calls that block the thread of a world. The simulation supports them or fails the run, but never hangs.
  @Suite("Simulation: blocking calls", .timeLimit(.minutes(5)))
  struct BlockingTests {
    @Test("sleep waits in virtual time, and other tasks run meanwhile")
    func sleep() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let order = Mutex("")
        DispatchQueue(label: "sleeping").async {
          _ = Glibc.sleep(3_600)
          order.withLock { $0 += "s" }
        }
        DispatchQueue(label: "other").asyncAfter(deadline: .now() + 60) { order.withLock { $0 += "o" } }
        await world.settle()
        world.expectEqual(order.withLock { $0 }, "os")
        world.expectEqual(world.clock.now.offset, .seconds(3_600))
      }
    }

    @Test("a job that needs the lock of a waiting job waits, too")
    func lock() async throws {
      let plan = SimulationPlan(seeds: 1...1, queues: .simulated) { world in
        let (lock, semaphore) = (NSLock(), DispatchSemaphore(value: 0))
        let first = DispatchQueue(label: "first")
        first.async {
          lock.lock()
          semaphore.wait()
          lock.unlock()
        }
        await world.settle()
        DispatchQueue(label: "second").async { lock.withLock {} }
        await world.settle()
      }
      let failure = try await failure(of: plan)
      let waiting = ["queue first (in DispatchSemaphore.wait)", "queue second (in pthread_mutex_lock)"]
      #expect(failure.reason == .unfinished(waiting))
    }

    @Test("a job that blocks its thread fails the run, which does not hang")
    func blocked() async throws {
      let pipe = Pipe()
      var plan = SimulationPlan(seeds: 1...1, queues: .simulated) { world in
        DispatchQueue(label: "reads").async { _ = pipe.fileHandleForReading.readData(ofLength: 1) }
        await world.settle()
      }
      plan.blockingLimit = 1
      let failure = try await failure(of: plan)
      #expect(failure.reason == .blocked("queue reads", seconds: 1))
      try pipe.fileHandleForWriting.close()
    }

    @Test("a run loop that waits fails the run, and the failure names the call")
    func runLoop() async throws {
      let failure = try await failure(
        of: SimulationPlan(seeds: 1...1, queues: .simulated) { world in
          DispatchQueue(label: "loading").async { Self.runLoop(for: 0.01) }
          await world.settle()
        })
      #expect(failure.reason == .leftTheWorld("queue loading", call: "RunLoop.run"))
    }

    @Test(
      "code that waits in a run loop again and again fails the run",
      arguments: [QueueScheduling.real, .simulated])
    func repeatedRunLoop(queues: QueueScheduling) async throws {
      let failure = try await failure(
        of: SimulationPlan(seeds: 1...1, queues: queues) { _ in while true { Self.runLoop(for: 0.01) } })
      #expect(failure.reason == .leftTheWorld("body", call: "RunLoop.run"))
    }

    @Test("a task that a thread resumes fails the run, and the failure names the thread")
    func thread() async throws {
      let failure = try await failure(
        of: SimulationPlan(seeds: 1...1, queues: .simulated) { _ in
          await withCheckedContinuation { continuation in
            Self.startThreadOnceBodyWaits { continuation.resume() }
          }
        })
      #expect(failure.reason == .leftTheWorld("body", call: "Thread.start"))
    }

    @Test("a semaphore that a thread outside the world signals fails the run")
    func outsideSignal() async throws {
      let failure = try await failure(
        of: SimulationPlan(seeds: 1...1, queues: .simulated) { _ in
          let semaphore = DispatchSemaphore(value: 0)
          // A world that still runs does not see who has signaled.
          Self.startThreadOnceBodyWaits(holdingWorld: false) { semaphore.signal() }
          Self.wait(for: semaphore)
        })
      #expect(failure.reason == .leftTheWorld("body", call: "Thread.start"))
    }

    @Test("a group that a thread outside the world leaves fails the run")
    func outsideLeave() async throws {
      let failure = try await failure(
        of: SimulationPlan(seeds: 1...1, queues: .simulated) { _ in
          let group = DispatchGroup()
          group.enter()
          Self.startThreadOnceBodyWaits { group.leave() }
          await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
          }
        })
      #expect(failure.reason == .leftTheWorld("body", call: "Thread.start"))
    }

    @Test("an exploration with a thread outside the world does not claim to be exhaustive")
    func outsideThread() async throws {
      let summary = try await simulate(strategy: .exhaustive(preemptions: 1), queues: .simulated) { _ in
        Thread {}.start()
      }
      #expect(!summary.isExhaustive)
    }

    private static func startThreadOnceBodyWaits(
      holdingWorld: Bool = true, _ action: @escaping @Sendable () -> Void
    ) {
      let body = SuspendedBody(holdsWorld: holdingWorld)
      Thread {
        body.act(action)
      }.start()
    }

    private func failure(of plan: SimulationPlan) async throws -> SimulationFailure {
      try await withCheckedThrowingContinuation { continuation in
        Thread {
          continuation.resume(
            with: Result {
              try #require(throws: SimulationFailure.self) { try plan.run() }
            })
        }.start()
      }
    }

    private static func runLoop(for seconds: Double) {
      let timer = Timer(timeInterval: seconds, repeats: false) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
    }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
  }
#endif
