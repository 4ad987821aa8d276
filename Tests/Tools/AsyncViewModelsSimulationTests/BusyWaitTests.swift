#if !canImport(Darwin)
  import AsyncViewModelsSimulation
  import Foundation
  import SimulatedQueues
  import Synchronization
  import Testing

  /// Code that waits for a clock without a suspension: in a loop, or with `Thread.sleep`.
  @Suite("Simulation: busy waits and sleeping threads", .timeLimit(.minutes(5)))
  struct BusyWaitTests {
    @Test("a loop until a date ends, and the clock of the world then shows that date")
    func loop() async throws {
      try await simulate(seeds: 1...20) { world in
        let start = ContinuousClock.now
        let deadline = Date(timeIntervalSinceNow: 30)
        while Date() < deadline {}
        world.expectEqual(world.clock.now, .start)
        await Task.yield()
        let shown = start.duration(to: .now)
        world.expect(shown >= .seconds(30) && shown < .seconds(31), "\(shown)")
        world.expect(world.clock.now.offset >= .seconds(30), "\(world.clock.now)")
      }
    }

    @Test("a loop that yields ends, and the timers that are due meanwhile fire")
    func yieldingLoop() async throws {
      try await simulate(seeds: 1...20) { world in
        let hasSlept = Mutex(false)
        world.spawn("sleeper") {
          try await Task.sleep(for: .milliseconds(50))
          hasSlept.withLock { $0 = true }
        }
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(500))
        while ContinuousClock.now < deadline { await Task.yield() }
        world.expect(hasSlept.withLock(\.self), "the sleeper still sleeps")
        await Task.yield()
        world.expectEqual(world.clock.now.offset, .milliseconds(500))
      }
    }

    @Test("a delay that begins in a busy wait counts from the time that the clock shows")
    func delayAfterLoop() async throws {
      try await simulate(seeds: 1...5) { world in
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(2) {}
        let before = ContinuousClock.now
        try await Task.sleep(for: .seconds(3))
        world.expect(before.duration(to: .now) <= .milliseconds(3_001), "\(before.duration(to: .now))")
        world.expect(before.duration(to: .now) >= .seconds(3), "\(before.duration(to: .now))")
      }
    }

    @Test("many reads that are no busy wait move no time")
    func manySleepers() async throws {
      try await simulate(seeds: 1...2) { world in
        for _ in 1...900 { world.expectEqual(Date().timeIntervalSince1970, 1_767_225_600) }
        for _ in 1...2_000 { try await Task.sleep(for: .zero) }
        world.expectEqual(world.clock.now.offset, .zero)
        try await Task.sleep(for: .seconds(1))
        for _ in 1...900 { world.expectEqual(Date().timeIntervalSince1970, 1_767_225_601) }
      }
    }

    @Test("time that the code moves itself ends a busy wait without a step back of the clock")
    func movedTime() async throws {
      try await simulate(seeds: 1...2) { world in
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(2) {}
        world.clock.advance(by: .milliseconds(500))
        world.expect(start.duration(to: .now) >= .seconds(2), "\(start.duration(to: .now))")
        world.clock.advance(by: .seconds(10))
        world.expectEqual(start.duration(to: .now), .milliseconds(10_500))
      }
    }

    @Test("with simulated queues, other jobs run while a thread sleeps")
    func sleepingThread() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let order = Mutex<[Int]>([])
        for number in [3, 1, 2] {
          DispatchQueue(label: "queue \(number)").async {
            let start = Date()
            Thread.sleep(forTimeInterval: Double(number) * 0.1)
            order.withLock { $0.append(number) }
            world.expect(abs(Date().timeIntervalSince(start) - Double(number) * 0.1) < 1e-6)
          }
        }
        await world.settle()
        world.expectEqual(order.withLock { $0 }, [1, 2, 3])
      }
    }

    @Test("threads that sleep until the same date wake in any order")
    func sameDate() async throws {
      let orders = Mutex<Set<[Int]>>([])
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let order = Mutex<[Int]>([])
        let end = Date(timeIntervalSinceNow: 0.7)
        for number in 1...2 {
          DispatchQueue(label: "queue \(number)").async {
            Thread.sleep(until: end)
            order.withLock { $0.append(number) }
          }
        }
        await world.settle()
        orders.withLock { orders in _ = orders.insert(order.withLock { $0 }) }
      }
      #expect(orders.withLock { $0 } == [[1, 2], [2, 1]])
    }

    @Test("with real queues, a sleeping thread moves the time and takes no real time")
    func sleepWithRealQueues() async throws {
      try await simulate(seeds: 1...10) { world in
        let start = Date()
        Self.sleep(for: 3_600.25)
        world.expect(abs(Date().timeIntervalSince(start) - 3_600.25) < 1e-6, "\(Date())")
        await Task.yield()
        let moved = world.clock.now.offset
        world.expect(moved >= .milliseconds(3_600_250) && moved < .milliseconds(3_600_251), "\(moved)")
      }
    }

    @Test(
      "a run loop that waits in a world with real queues fails the run, and ends at its limit in virtual time"
    )
    func runLoop() async throws {
      let hasEnded = Mutex(false)
      let failure = await #expect(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1) { _ in
          Self.runLoop(for: 0.5)
          hasEnded.withLock { $0 = true }
        }
      }
      #expect(failure?.reason == .leftTheWorld("body", call: "RunLoop.run"))
      #expect(hasEnded.withLock { $0 })
    }

    private static func runLoop(for seconds: Double) {
      let timer = Timer(timeInterval: seconds, repeats: false) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
    }

    private static func sleep(for seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
  }
#endif
