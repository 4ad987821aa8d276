import AsyncViewModelsSimulation
import Dispatch
import SimulatedQueues
import Synchronization
import Testing

/// Timers whose deadlines are close to each other can fire in either order, if the simulation has a tolerance.
@Suite("Simulation: close deadlines", .timeLimit(.minutes(5)))
struct TimerToleranceTests {
  /// Sleeps in several tasks, and returns the order in which they wake.
  private static func order(
    of milliseconds: [Int], in world: SimulatedWorld,
    sleep: @escaping @Sendable (SimulatedWorld, Int) async throws -> Void = { world, pause in
      try await world.clock.sleep(for: .milliseconds(pause))
    }
  ) async -> [Int] {
    let order = Mutex<[Int]>([])
    for pause in milliseconds {
      world.spawn("\(pause)") {
        try await sleep(world, pause)
        order.withLock { $0.append(pause) }
      }
    }
    await world.settle()
    return order.withLock { $0 }
  }

  private func orders(
    tolerance: Duration, queues: QueueScheduling = .real,
    _ order: @escaping @Sendable (SimulatedWorld) async -> [Int]
  ) async throws -> Set<[Int]> {
    let orders = Mutex<Set<[Int]>>([])
    try await simulate(seeds: 1...200, queues: queues, timerTolerance: tolerance) { world in
      let run = await order(world)
      orders.withLock { orders in _ = orders.insert(run) }
    }
    return orders.withLock { $0 }
  }

  @Test("deadlines within the tolerance swap, and others do not", arguments: [0, 1, 2, 10])
  func tolerance(milliseconds: Int) async throws {
    let orders = try await orders(tolerance: .milliseconds(milliseconds)) { world in
      await Self.order(of: [300, 302], in: world)
    }
    #expect(orders == (milliseconds < 2 ? [[300, 302]] : [[300, 302], [302, 300]]))
  }

  @Test("the time stops at the first deadline, or at the last one within the tolerance")
  func times() async throws {
    let times = try await orders(tolerance: .milliseconds(2)) { world in
      let times = Mutex<[Int]>([])
      _ = await Self.order(of: [300, 301, 302, 303], in: world) { world, pause in
        try await world.clock.sleep(for: .milliseconds(pause))
        times.withLock { $0.append(Int(world.clock.now.offset / .milliseconds(1))) }
      }
      return times.withLock { $0 }
    }
    #expect(
      times == [[300, 301, 302, 303], [300, 301, 303, 303], [300, 303, 303, 303], [302, 302, 302, 303]])
  }

  @Test("without a tolerance, or without close deadlines, there is no choice")
  func noChoice() async throws {
    let alone = try await simulate(seeds: 1...50, timerTolerance: .milliseconds(5)) { world in
      for pause in [300, 310] { try await world.clock.sleep(for: .milliseconds(pause)) }
    }
    #expect(alone.choices == 0)
    let body: @Sendable (SimulatedWorld) async -> Void = { world in
      _ = await Self.order(of: [300, 301], in: world)
    }
    let without = try await simulate(seeds: 1...50, body)
    let with = try await simulate(seeds: 1...50, timerTolerance: .milliseconds(5), body)
    #expect(with.choices > without.choices)
  }

  @Test("an exhaustive simulation runs both orders")
  func exhaustive() async throws {
    let orders = Mutex<Set<[Int]>>([])
    let summary = try await simulate(
      strategy: .exhaustive(preemptions: 2), timerTolerance: .milliseconds(5)
    ) { world in
      let order = await Self.order(of: [300, 301], in: world)
      orders.withLock { orders in _ = orders.insert(order) }
    }
    #expect(summary.isExhaustive)
    #expect(orders.withLock { $0 } == [[300, 301], [301, 300]])
  }

  private static let swap: @Sendable (SimulatedWorld) async -> Void = { world in
    world.expectEqual(await order(of: [300, 301], in: world), [300, 301])
  }

  @Test("a swap has a path that replays it, and the timeline marks it")
  func replay() async throws {
    try await simulate(seeds: 1...200, Self.swap)
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...200, timerTolerance: .milliseconds(1), Self.swap)
    }
    #expect(
      failure.timeline.contains {
        $0.hasPrefix("▸") && $0.contains("time advances over several deadlines to 0.301")
      })
    let again = try await #require(throws: SimulationFailure.self) {
      try await simulate(replaying: failure.path, timerTolerance: .milliseconds(1), Self.swap)
    }
    #expect(again.timeline == failure.timeline)
  }

  @Test("the reduction of a run moves the time to the earliest deadline")
  func reduction() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...200, timerTolerance: .milliseconds(5)) { world in
        _ = await Self.order(of: [300, 301], in: world)
        world.fail("always")
      }
    }
    #expect(failure.path.turns == 0)
  }

  #if compiler(>=6.3) && !canImport(Darwin)
    @Test("sleeps of the runtime, blocks and waits with a limit swap, too")
    func kinds() async throws {
      let orders = try await orders(tolerance: .milliseconds(2), queues: .simulated) { world in
        await Self.order(of: [0, 1, 2, 3], in: world) { world, kind in
          let pause = Duration.milliseconds(300) + .microseconds(kind)
          switch kind {
          case 0: try await Task.sleep(for: pause)
          case 1: try await world.clock.sleep(for: pause)
          case 2: Self.wait(microseconds: 300_002)
          default:
            await withCheckedContinuation { continuation in
              DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(300_003)) {
                continuation.resume()
              }
            }
          }
        }
      }
      #expect(Set(orders.map(\.first)) == [0, 1, 2, 3])
      #expect(Set(orders.map(\.last)) == [0, 1, 2, 3])
    }

    private static func wait(microseconds: Int) {
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
    }

    @Test("a test with the trait has a tolerance", .simulated(seeds: 1...1, timerTolerance: .milliseconds(5)))
    func trait() async throws {
      let world = try #require(SimulatedWorld.current)
      var orders: Set<[Int]> = []
      for _ in 1...40 { orders.insert(await Self.order(of: [300, 301], in: world)) }
      #expect(orders == [[300, 301], [301, 300]])
    }
  #endif
}
