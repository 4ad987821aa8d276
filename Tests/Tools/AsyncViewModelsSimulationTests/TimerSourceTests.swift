import AsyncViewModels
import AsyncViewModelsSimulation
import Dispatch
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  /// Timer sources use the virtual time of the world.
  @Suite("Simulation: timer sources", .timeLimit(.minutes(5)))
  struct TimerSourceTests {
    @Test(
      "a repeating timer fires in virtual time until it is cancelled, and then calls its cancel handler once")
    func repeating() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let log = Mutex<[String]>([])
        let timer = Timer(queue: DispatchQueue(label: "timer"))
        timer.onCancel { log.withLock { $0.append("cancelled") } }
        timer.start(after: 10, repeating: 60) {
          log.withLock { $0.append("\(world.clock.now.offset)") }
          if world.clock.now.offset == .seconds(130) { timer.cancel() }
        }
        try await world.clock.sleep(for: .seconds(600))
        world.expectEqual(
          log.withLock { $0 }, ["10.0 seconds", "70.0 seconds", "130.0 seconds", "cancelled"])
        world.expect(timer.isCancelled)
      }
    }

    @Test("a timer that is not activated, is suspended, or has no more references does not fire")
    func silent() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let fires = Atomic(0)
        func makeTimer() -> any DispatchSourceTimer {
          let timer = DispatchSource.makeTimerSource()
          timer.schedule(deadline: .now() + 1)
          timer.setEventHandler { fires.add(1, ordering: .relaxed) }
          return timer
        }
        let timer = makeTimer()
        try await world.clock.sleep(for: .seconds(10))
        world.expectEqual(fires.load(ordering: .relaxed), 0, "inactive")
        timer.activate()
        await world.settle()
        world.expectEqual(fires.load(ordering: .relaxed), 1, "activated late")

        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.suspend()
        try await world.clock.sleep(for: .milliseconds(3_500))
        world.expectEqual(fires.load(ordering: .relaxed), 1, "suspended")
        timer.resume()
        await world.settle(movingTime: false)
        try await world.clock.sleep(for: .milliseconds(100))
        world.expectEqual(fires.load(ordering: .relaxed), 2, "resumed")
        timer.schedule(deadline: .now() + 1)
        timer.schedule(deadline: .now() + 5)
        try await world.clock.sleep(for: .seconds(4))
        world.expectEqual(fires.load(ordering: .relaxed), 2, "scheduled again")
        try await world.clock.sleep(for: .seconds(4))
        world.expectEqual(fires.load(ordering: .relaxed), 3, "once")
        timer.cancel()

        makeTimer().activate()
        try await world.clock.sleep(for: .seconds(10))
        world.expectEqual(fires.load(ordering: .relaxed), 3, "released")
      }
    }

    @Test("settle and the end of the body do not wait for a timer that repeats forever, but a task can")
    func endless() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let fires = Mutex<(count: Int, waiting: CheckedContinuation<Void, Never>?)>((0, nil))
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: .seconds(1))
        timer.setEventHandler {
          MainActor.assumeIsolated {}
          let waiting = fires.withLock { fires in
            fires.count += 1
            return fires.count == 3 ? fires.waiting.take() : nil
          }
          waiting?.resume()
        }
        timer.activate()
        await withCheckedContinuation { continuation in fires.withLock { $0.waiting = continuation } }
        world.expectEqual(world.clock.now.offset, .seconds(2))
        await world.settle()
        world.expectEqual(fires.withLock { $0.count }, 3)
        withExtendedLifetime(timer) {}
      }
    }

    @Test("the simulation finds an event that a cancelled timer has already passed to another queue")
    func eventAfterCancel() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(queues: .simulated) { world in
          let isStopped = StateStore(false)
          let timer = Timer(queue: DispatchQueue(label: "timer"))
          timer.start(after: 1, repeating: 1) {
            DispatchQueue.main.async { world.expect(!isStopped.value, "ticked after stop") }
          }
          let stopping = world.spawn("stop") {
            try await world.clock.sleep(for: .seconds(1))
            timer.cancel()
            isStopped.update { $0 = true }
          }
          await stopping.waitForEnd()
          await world.settle()
        }
      }
      guard case .expectation("ticked after stop", _) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
    }

    /// `@unchecked Sendable`: the code of a world runs on one thread at a time.
    private final class Timer: @unchecked Sendable {
      private let source: any DispatchSourceTimer

      init(queue: DispatchQueue) { source = DispatchSource.makeTimerSource(queue: queue) }

      var isCancelled: Bool { source.isCancelled }

      func start(after delay: Double, repeating interval: Double, _ handler: @escaping @Sendable () -> Void) {
        source.schedule(deadline: .now() + delay, repeating: interval)
        source.setEventHandler(handler: handler)
        source.activate()
      }

      func onCancel(_ handler: @escaping @Sendable () -> Void) { source.setCancelHandler(handler: handler) }

      func cancel() { source.cancel() }
    }

    @Test("a source other than a timer fails the run, and the failure names the call")
    func refused() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated) { world in
          let source = DispatchSource.makeSignalSource(signal: 10)
          source.setEventHandler {}
          source.activate()
          await world.settle()
          source.cancel()
        }
      }
      #expect(failure.reason == .leftTheWorld("body", call: "DispatchSource (other than a timer)"))
    }

    @Test("reading a file with DispatchIO fails the run, and the failure names the call")
    func dispatchIO() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated) { _ in
          DispatchIO.read(fromFileDescriptor: -1, maxLength: 1, runningHandlerOn: .global()) { _, _ in }
        }
      }
      #expect(failure.reason == .leftTheWorld("body", call: "DispatchIO.read"))
    }
  }
#endif
