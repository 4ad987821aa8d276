import AsyncViewModels
import AsyncViewModelsSimulation
import Synchronization
import Testing

/// Common concurrency bugs that a simulation has to find.
@Suite("Simulation: planted races", .timeLimit(.minutes(5)))
struct PlantedRaceTests {
  /// Checks that it has no profile, and suspends before it sets one. A second call can also pass the check.
  private actor Account {
    nonisolated let isolation: any Actor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }
    private(set) var loads = 0
    private var profile: String?

    init(isolation: any Actor) { self.isolation = isolation }

    func loadIfNeeded() async {
      guard profile == nil else { return }
      loads += 1
      await Task.yield()
      profile = "Ada"
    }
  }

  private static let doubleLoad: @Sendable (SimulatedWorld) async throws -> Void = { world in
    let account = Account(isolation: world.isolation)
    let first = world.spawn("first") { await account.loadIfNeeded() }
    let second = world.spawn("second") { await account.loadIfNeeded() }
    await first.waitForEnd()
    await second.waitForEnd()
    world.expectEqual(await account.loads, 1, "loads")
  }

  @Test(
    "the simulation finds that an actor loads twice if it suspends between its check and its update",
    arguments: [.random, .prioritized(depth: 3), .mixed, .exhaustive(preemptions: 1)] as [SimulationStrategy])
  func reentrancy(strategy: SimulationStrategy) async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1_000, strategy: strategy, Self.doubleLoad)
    }
    guard case .expectation("loads expected 1, got 2", _) = failure.reason else {
      Issue.record("unexpected failure: \(failure)")
      return
    }
    #expect(failure.path.turns <= 1, "\(failure)")
    #expect(failure.timeline.contains { $0.contains(/second +runs/) })
  }

  /// Publishes every result in the order of arrival.
  private final class Search: Sendable {
    let shown = Mutex("")

    func search(_ query: String, latency: Duration, on clock: VirtualClock) async throws {
      try await clock.sleep(for: latency)
      shown.withLock { $0 = query }
    }
  }

  @Test("the simulation finds the stale result of a search that does not supersede earlier queries")
  func staleSearch() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate { world in
        let search = Search()
        for query in ["s", "swift"] {
          let latency = world.choose(from: [Duration.milliseconds(10), .milliseconds(200)])
          world.spawn("search \(query)") { try await search.search(query, latency: latency, on: world.clock) }
          await Task.yield()
        }
        await world.settle()
        world.expectEqual(search.shown.withLock { $0 }, "swift")
      }
    }
    guard case .expectation = failure.reason else {
      Issue.record("unexpected failure: \(failure)")
      return
    }
    #expect(failure.path.turns <= 2, "\(failure)")
  }

  @Test("the prioritized strategy finds a bug that needs three events in a certain order")
  func depth() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...20_000, strategy: .prioritized(depth: 3)) { world in
        let phase = Atomic(0)
        @Sendable func advance(from expected: Int) async {
          for _ in 0..<6 { await Task.yield() }
          _ = phase.compareExchange(expected: expected, desired: expected + 1, ordering: .relaxed)
        }
        // The default order runs the tasks in the reverse of the order that causes the bug.
        let tasks = [2, 1, 0].map { number in world.spawn("\(number)") { await advance(from: number) } }
        for task in tasks { await task.waitForEnd() }
        world.expect(phase.load(ordering: .relaxed) < 3, "all in order")
      }
    }
    #expect(failure.reason.description.hasPrefix("all in order"))
  }
}
