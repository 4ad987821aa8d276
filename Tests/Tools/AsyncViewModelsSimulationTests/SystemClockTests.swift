#if !canImport(Darwin)
  import AsyncViewModelsSimulation
  import Dispatch
  import Foundation
  import Glibc
  import SimulatedQueues
  import Synchronization
  import Testing

  /// In a world, the clocks of the system show virtual time.
  @Suite("Simulation: the clocks of the system", .timeLimit(.minutes(5)))
  struct SystemClockTests {
    /// A way to read a clock.
    struct Reading: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let isWall: Bool
      /// The smallest difference that the clock shows.
      let resolution: Duration
      let read: @Sendable () -> Duration

      init(
        _ name: String, isWall: Bool, resolution: Duration = .nanoseconds(1),
        _ read: @escaping @Sendable () -> Duration
      ) {
        testDescription = name
        self.isWall = isWall
        self.resolution = resolution
        self.read = read
      }

      init(_ name: String, _ clock: clockid_t, isWall: Bool) {
        self.init(name, isWall: isWall) {
          var time = timespec()
          unsafe clock_gettime(clock, &time)
          return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
      }

      var start: Duration { .seconds(isWall ? 1_767_225_600 : 1_000_000) }

      static let all = [
        Reading("Date()", isWall: true, resolution: .microseconds(1)) {
          .seconds(Date().timeIntervalSince1970)
        },
        Reading("ProcessInfo.systemUptime", isWall: false, resolution: .microseconds(1)) {
          .seconds(ProcessInfo.processInfo.systemUptime)
        },
        Reading("CLOCK_REALTIME", CLOCK_REALTIME, isWall: true),
        Reading("CLOCK_REALTIME_COARSE", CLOCK_REALTIME_COARSE, isWall: true),
        Reading("CLOCK_TAI", CLOCK_TAI, isWall: true),
        Reading("CLOCK_MONOTONIC", CLOCK_MONOTONIC, isWall: false),
        Reading("CLOCK_MONOTONIC_COARSE", CLOCK_MONOTONIC_COARSE, isWall: false),
        Reading("CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW, isWall: false),
        Reading("CLOCK_BOOTTIME", CLOCK_BOOTTIME, isWall: false),
        Reading("timespec_get", isWall: true) {
          var time = timespec()
          unsafe timespec_get(&time, TIME_UTC)
          return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        },
        Reading("gettimeofday", isWall: true, resolution: .microseconds(1)) {
          var time = timeval()
          unsafe gettimeofday(&time, nil)
          return .seconds(time.tv_sec) + .microseconds(time.tv_usec)
        },
        Reading("time", isWall: true, resolution: .seconds(1)) { .seconds(Glibc.time(nil)) },
      ]
    }

    @Test("a change of the wall clock moves the wall clocks, and no other", arguments: Reading.all)
    func wallClockChange(reading: Reading) async throws {
      let ahead = Atomic(0)
      let day = Duration.seconds(86_400)
      try await simulate(seeds: 1...100) { world in
        await world.faults.wallClockChange(by: day).waitForEnd()
        let change = reading.read() - reading.start
        world.expect(reading.isWall ? change == day || change == .zero - day : change == .zero, "\(change)")
        if change > .zero { ahead.add(1, ordering: .relaxed) }
        try await Task.sleep(for: .seconds(2))
        world.expectEqual(reading.read() - reading.start, change + .seconds(2), "after a sleep:")
      }
      #expect(
        reading.isWall
          ? (1..<100).contains(ahead.load(ordering: .relaxed)) : ahead.load(ordering: .relaxed) == 0)
    }

    @Test("a change of the wall clock does not move a wait that has begun")
    func wallDeadline() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let start = world.clock.now
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + 10) {
          world.expectEqual(start.duration(to: world.clock.now), .seconds(10), "the block runs after")
        }
        world.faults.wallClockChange(upTo: .seconds(4))
        await world.settle()
      }
    }

    @Test(
      "each clock starts at the same time in each run, and moves with the clock of the world",
      arguments: Reading.all)
    func reading(clock: Reading) async throws {
      try await simulate(seeds: 1...3) { world in
        world.expect(Self.isClose(clock.read(), clock.start, within: clock.resolution), "\(clock.read())")
        try await world.clock.sleep(for: .nanoseconds(3_600_123_456_789))
        let end = clock.start + .nanoseconds(3_600_123_456_789)
        world.expect(Self.isClose(clock.read(), end, within: clock.resolution), "\(clock.read())")
      }
    }

    private static func isClose(_ left: Duration, _ right: Duration, within difference: Duration) -> Bool {
      max(left - right, right - left) < difference
    }

    @Test("the clocks of Swift move with the clock of the world")
    func swiftClocks() async throws {
      try await simulate(seeds: 1...3) { world in
        let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
        try await Task.sleep(for: .seconds(3_600))
        world.expectEqual(continuous.duration(to: .now), .seconds(3_600))
        world.expectEqual(suspending.duration(to: .now), .seconds(3_600))
      }
    }

    @Test("a clock of CPU time is real")
    func processorTime() async throws {
      try await simulate(seeds: 1...1) { world in
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        world.expect(time.tv_sec < 1_000_000, "\(time.tv_sec)")
      }
    }

    @Test("Dispatch reads virtual time if its queues are simulated, and the real clock if they are real")
    func dispatchTime() async throws {
      try await simulate(seeds: 1...3, queues: .simulated) { world in
        world.expectEqual(DispatchTime.now().uptimeNanoseconds, 1_000_000_000_000_000)
        try await world.clock.sleep(for: .seconds(5))
        world.expectEqual(DispatchTime.now().uptimeNanoseconds, 1_000_005_000_000_000)
      }
      let real = DispatchTime.now().uptimeNanoseconds
      try await simulate(seeds: 1...1) { world in
        try await world.clock.sleep(for: .seconds(5_000_000))
        let now = DispatchTime.now().uptimeNanoseconds
        world.expect(now >= real && now < real + 1_000_000_000_000, "\(now)")
      }
    }

    @Test("two runs read the same dates")
    func dates() async throws {
      let dates = Mutex<Set<[Date]>>([])
      try await simulate(seeds: 1...20) { world in
        var run: [Date] = []
        for pause in 1...3 {
          run.append(Date())
          try await Task.sleep(for: .seconds(pause))
        }
        dates.withLock { dates in _ = dates.insert(run) }
      }
      #expect(dates.withLock { $0 } == [[0, 1, 3].map { Date(timeIntervalSince1970: 1_767_225_600 + $0) }])
    }

    @Test("a thread outside the world reads the real clock, also while a world runs")
    func outside() async throws {
      let before = Date()
      try await simulate(seeds: 1...1) { world in
        let date = Mutex<Date?>(nil)
        Self.onThread { date.withLock { $0 = Date() } }
        world.expect(
          date.withLock { $0 }.map { $0 >= before } ?? false, "\(date.withLock { $0 }?.description ?? "none")"
        )
        world.expectEqual(Date().timeIntervalSince1970, 1_767_225_600)
      }
      #expect(Date() >= before && Date() < before.addingTimeInterval(3_600))
    }

    /// Runs code on a new thread, and waits for its end.
    private static func onThread(_ body: @escaping @Sendable () -> Void) {
      let semaphore = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        body()
        semaphore.signal()
      }
      semaphore.wait()
    }

    @Test("a cache expires, and a throttle lets an event pass, in virtual time")
    func subjects() async throws {
      try await simulate(seeds: 1...200) { world in
        let stored = Date()
        var lastEvent = ContinuousClock.now
        var passed = 0
        for _ in 1...10 {
          try await Task.sleep(for: .milliseconds(world.choose(from: [400, 700])))
          guard lastEvent.duration(to: .now) >= .seconds(1) else { continue }
          (lastEvent, passed) = (.now, passed + 1)
        }
        world.expect((2...5).contains(passed), "\(passed) events")
        world.expect(Date().timeIntervalSince(stored) < 60, "not expired")
        try await world.clock.sleep(for: .seconds(60))
        world.expect(Date().timeIntervalSince(stored) > 60, "expired")
      }
    }

    @Test("a deadline of a wait is a time of the virtual clock")
    func deadlines() async throws {
      try await simulate(seeds: 1...20, queues: .simulated) { world in
        try await Task.sleep(for: .nanoseconds(1_234_567_890))
        let start = world.clock.now.offset
        Self.wait(until: .now() + .milliseconds(250))
        world.expectEqual(world.clock.now.offset - start, .milliseconds(250))
        Self.waitForCondition(until: Date(timeIntervalSinceNow: 0.29))
        world.expectEqual(world.clock.now.offset - start, .milliseconds(540))
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(wallDeadline: .now() + 0.29) { continuation.resume() }
        }
        world.expectEqual(world.clock.now.offset - start, .milliseconds(830))
      }
    }

    private static func wait(until deadline: DispatchTime) {
      _ = DispatchSemaphore(value: 0).wait(timeout: deadline)
    }

    private static func waitForCondition(until deadline: Date) {
      let condition = NSCondition()
      condition.lock()
      _ = condition.wait(until: deadline)
      condition.unlock()
    }
  }
#endif
