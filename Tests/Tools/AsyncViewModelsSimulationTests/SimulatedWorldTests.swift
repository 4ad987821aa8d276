import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Synchronization
import Testing

/// The guarantees of a simulated world to the code that runs in it.
@Suite("Simulation: the world", .timeLimit(.minutes(5)))
struct SimulatedWorldTests {
  @Test("virtual time advances only when no task is ready, and a sleep takes no real time")
  func time() async throws {
    try await simulate(seeds: 1...100) { world in
      let log = Mutex<[String]>([])
      world.spawn("sleeping") {
        try await world.clock.sleep(for: .seconds(3_600))
        log.withLock { $0.append("slept") }
      }
      world.spawn("working") {
        for _ in 0..<5 { await Task.yield() }
        log.withLock { $0.append("worked") }
      }
      await world.settle(movingTime: false)
      world.expectEqual(world.clock.now, .start)
      await world.settle()
      world.expectEqual(world.clock.now.offset, .seconds(3_600))
      world.expectEqual(log.withLock { $0 }, ["worked", "slept"])
    }
  }

  #if !canImport(Darwin)
    @Test("a world in which a task ran on the main actor is released after its run")
    func releasedWorld() async throws {
      try await LeakTracker.check { tracker in
        _ = try await simulate(seeds: 1...3) { world in
          _ = tracker.track(world.clock)
          await Task { @MainActor in await Task.yield() }.value
        }
      }
    }

    @Test("main-actor tasks start in the order of their creation, and other tasks may run in between")
    func mainActor() async throws {
      let orders = Mutex<Set<[Int]>>([])
      let summary = try await simulate(seeds: 1...1_000, strategy: .exhaustive(preemptions: 2)) { world in
        let log = StateStore<[Int]>([])
        for number in [1, 2] {
          Task { @MainActor in
            MainActor.preconditionIsolated()
            log.update { $0.append(number) }
            await Task.yield()
            MainActor.preconditionIsolated()
            log.update { $0.append(number) }
          }
        }
        world.spawn("elsewhere") { await MainActor.run { log.update { $0.append(3) } } }
        await world.settle()
        let order = log.value
        world.expect(order.filter { $0 < 3 }.first == 1, "the main actor did not keep its order: \(order)")
        _ = orders.withLock { $0.insert(order) }
      }
      #expect(summary.isExhaustive)
      #expect(orders.withLock { $0.count } > 1)
    }

    @Test("the simulation finds a double load on the main actor")
    func raceOnTheMainActor() async throws {
      await #expect(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...100) { world in
          let loader = Loader()
          for number in [1, 2] { world.spawn("screen \(number)") { await loader.load() } }
          await world.settle()
          await MainActor.run { world.expectEqual(loader.loads, 1) }
        }
      }
    }

    @MainActor
    private final class Loader {
      private(set) var loads = 0
      private var isLoaded = false

      nonisolated init() {}

      func load() async {
        guard !isLoaded else { return }
        loads += 1
        await Task.yield()
        isLoaded = true
      }
    }

    @Test("outside a simulated world, the main actor is real")
    func realMainActor() async throws {
      async let simulated = simulate(seeds: 1...200) { world in
        world.spawn("main") { @MainActor in await Task.yield() }
        await world.settle()
      }
      for _ in 0..<200 { await MainActor.run { MainActor.preconditionIsolated() } }
      _ = try await simulated
    }
  #endif

  #if compiler(>=6.3) && !canImport(Darwin)
    @Test("`Task.sleep` on a system clock takes virtual time")
    func systemClock() async throws {
      try await simulate(seeds: 1...100) { world in
        let order = Mutex<[Int]>([])
        for number in [3, 1, 2] {
          world.spawn("sleeper \(number)") {
            try await Task.sleep(for: .seconds(number * 1_000))
            order.withLock { $0.append(number) }
          }
        }
        await world.settle()
        world.expectEqual(order.withLock { $0 }, [1, 2, 3])
        world.expectEqual(world.clock.now.offset, .seconds(3_000))
      }
    }

    @Test("`Task.sleep` is exact to the nanosecond")
    func exactSleep() async throws {
      try await simulate(seeds: 1...10) { world in
        let deadline = ContinuousClock.now + .nanoseconds(1_000_000_007)
        try await Task.sleep(for: .nanoseconds(3))
        world.expectEqual(world.clock.now.offset, .nanoseconds(3))
        try await Task.sleep(until: deadline)
        world.expectEqual(world.clock.now.offset, .nanoseconds(1_000_000_007))
      }
    }
  #endif

  @Test("an isolation runs its jobs in the order of their arrival")
  func isolationInOrder() async throws {
    try await simulate(seeds: 1...500) { world in
      let receiver = Receiver(isolation: world.isolation)
      await receiver.postAll()
      await world.settle()
      world.expectEqual(await receiver.received, [1, 2, 3, 4])
    }
  }

  @Test("nothing runs between two adjacent calls to one actor, unless the caller suspends between them")
  func adjacentCalls() async throws {
    func orders(
      _ calls: @escaping @Sendable (Receiver, Int) async -> Void
    ) async throws -> Set<[Int]> {
      let orders = Mutex<Set<[Int]>>([])
      let summary = try await simulate(seeds: 1...10_000, strategy: .exhaustive(preemptions: 4)) { world in
        let receiver = Receiver(isolation: world.isolation)
        let tasks = [1, 2].map { number in
          world.spawn("caller \(number)") { await calls(receiver, number) }
        }
        for task in tasks { await task.waitForEnd() }
        let order = await receiver.received
        _ = orders.withLock { $0.insert(order) }
      }
      #expect(summary.isExhaustive)
      return orders.withLock { $0 }
    }
    // Two closures instead of a condition between the calls: a build for code coverage counts how often a
    // condition runs, and the counter would separate the calls.
    let adjacent = try await orders { receiver, number in
      await receiver.receive(number)
      await receiver.receive(number)
    }
    #expect(adjacent == [[1, 1, 2, 2], [2, 2, 1, 1]])
    let separate = try await orders { receiver, number in
      await receiver.receive(number)
      await Task.yield()
      await receiver.receive(number)
    }
    #expect(separate.contains([1, 2, 1, 2]))
  }

  private actor Receiver {
    nonisolated let isolation: any Actor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }
    var received: [Int] = []

    init(isolation: any Actor) { self.isolation = isolation }

    func receive(_ number: Int) { received.append(number) }

    func postAll() {
      for number in 1...4 { Task { self.received.append(number) } }
    }
  }

  @Test("over many seeds, a cancellation comes before a task starts, at each suspension, and after its end")
  func cancellation() async throws {
    let moments = Mutex<Set<Int>>([])
    try await simulate(seeds: 1...2_000) { world in
      let reached = Mutex(0)
      let task = world.spawn("working") {
        for _ in 0..<3 where !Task.isCancelled {
          reached.withLock { $0 += 1 }
          await Task.yield()
        }
      }
      await world.faults.cancellation(of: task).waitForEnd()
      await task.waitForEnd()
      _ = moments.withLock { all in reached.withLock { all.insert($0) } }
    }
    #expect(moments.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test("over many seeds, faults produce each latency, and a failure or none")
  func faults() async throws {
    struct Broken: Error {}
    let seen = Mutex<Set<String>>([])
    try await simulate(seeds: 1...500) { world in
      try await world.faults.latency(upTo: .seconds(2))
      let failed = (try? world.faults.failure(Broken())) == nil
      let time = world.clock.now.offset
      seen.withLock { $0.formUnion(["\(time)", "failed: \(failed)"]) }
    }
    #expect(
      seen.withLock { $0 }
        == ["0.0 seconds", "1.0 seconds", "2.0 seconds", "failed: true", "failed: false"])
  }

  @Test("child tasks are named after their parent")
  func names() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1) { world in
        await world.spawn("parent") {
          async let first: Void = Task.yield()
          async let second: Void = world.fail("here")
          _ = await (first, second)
        }.waitForEnd()
      }
    }
    #expect(failure.fullTimeline.contains { $0.contains("parent.1 is ready") }, "\(failure)")
    #expect(failure.timeline.contains { $0.contains(/parent\.2 +runs/) }, "\(failure)")
  }

  @Test("ten thousand worlds release the objects that their tasks capture")
  func leaks() async throws {
    final class Resource: Sendable {
      let count: Counter
      init(_ count: Counter) {
        self.count = count
        count.value.add(1, ordering: .relaxed)
      }
      deinit { count.value.subtract(1, ordering: .relaxed) }
    }
    let count = Counter()
    try await simulate(seeds: 1...10_000) { world in
      let resource = Resource(count)
      world.spawn("using") {
        await Task.yield()
        withExtendedLifetime(resource) {}
      }
    }
    #expect(count.value.load(ordering: .relaxed) == 0)
  }

  private final class Counter: Sendable { let value = Atomic(0) }

  @Test("concurrent simulations do not affect each other or code outside a simulation", arguments: 1...8)
  func parallel(_ number: Int) async throws {
    try await simulate(seeds: 1...300) { world in
      let stream = StateStore(number)
      let task = world.spawn("observing") {
        for await value in stream.states() where value == number + 3 { return }
      }
      for step in 1...3 {
        stream.send(number + step)
        await Task.yield()
      }
      await task.waitForEnd()
    }
    // The process is unaffected: these hops, yields and sleeps are real.
    await Task.yield()
    try await Task.sleep(for: .milliseconds(1))
    #expect(await Task.detached { number }.value == number)
  }
}
