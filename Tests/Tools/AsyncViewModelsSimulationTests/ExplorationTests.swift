import AsyncViewModelsSimulation
import Synchronization
import Testing

/// Exhaustive simulations of tasks whose number of interleavings is known.
@Suite("Simulation: every interleaving", .timeLimit(.minutes(5)))
struct ExplorationTests {
  /// Explores the interleavings of some tasks, and returns the observed orders of their steps.
  private func orders(
    of tasks: [String], steps: Int, preemptions: Int
  ) async throws -> (orders: Set<String>, summary: SimulationSummary) {
    let orders = Mutex<Set<String>>([])
    let summary = try await simulate(seeds: 1...100_000, strategy: .exhaustive(preemptions: preemptions)) {
      world in
      let order = Mutex("")
      let tasks = tasks.map { name in
        world.spawn(name) {
          for step in 1...steps {
            if step > 1 { await Task.yield() }
            order.withLock { $0 += name }
          }
        }
      }
      for task in tasks { await task.waitForEnd() }
      _ = orders.withLock { all in order.withLock { all.insert($0) } }
    }
    return (orders.withLock { $0 }, summary)
  }

  @Test("two tasks of two steps have six interleavings")
  func twoByTwo() async throws {
    let (orders, summary) = try await orders(of: ["a", "b"], steps: 2, preemptions: 10)
    #expect(orders == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    #expect(summary.isExhaustive)
    #expect(summary.distinctSchedules == summary.runs)
  }

  @Test("two tasks of three steps have twenty interleavings, and three tasks of two steps have ninety")
  func larger() async throws {
    #expect(try await orders(of: ["a", "b"], steps: 3, preemptions: 10).orders.count == 20)
    #expect(try await orders(of: ["a", "b", "c"], steps: 2, preemptions: 10).orders.count == 90)
  }

  @Test("without preemptions, each task runs to its end before the next task starts")
  func withoutPreemption() async throws {
    #expect(try await orders(of: ["a", "b"], steps: 2, preemptions: 0).orders == ["aabb", "bbaa"])
  }

  @Test("an exhaustive simulation fails if it has fewer seeds than interleavings")
  func notExhausted() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...3, strategy: .exhaustive(preemptions: 2)) { world in _ = world.choose(4) }
    }
    #expect(failure.reason == .notExhausted(runs: 3))
    #expect("\(failure)".contains("`seeds`"), "\(failure)")
  }

  @Test(
    "over many seeds, a random and a prioritized strategy make `choose` return every number",
    arguments: [.random, .prioritized(depth: 3), .prioritized(depth: .max)] as [SimulationStrategy])
  func randomChoices(strategy: SimulationStrategy) async throws {
    let seen = Mutex<Set<Int>>([])
    try await simulate(seeds: 1...500, strategy: strategy) { world in
      let value = world.choose(8)
      _ = seen.withLock { $0.insert(value) }
    }
    #expect(seen.withLock { $0 } == Set(0..<8))
  }
}
