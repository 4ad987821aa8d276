import AsyncViewModelsSimulation
import Foundation
import Synchronization
import Testing

/// Seeds that several threads run at the same time.
@Suite("Simulation: seeds in parallel", .timeLimit(.minutes(5)))
struct ParallelSeedsTests {
  private static func plan(seeds: ClosedRange<UInt64>, failsAt failing: Set<Int> = []) -> SimulationPlan {
    SimulationPlan(seeds: seeds) { world in
      let order = Mutex<[Int]>([])
      for number in 1...3 { world.spawn("\(number)") { order.withLock { $0.append(number) } } }
      await world.settle()
      if !failing.isEmpty { world.expect(!failing.contains(world.choose(50)), "chosen") }
    }
  }

  private func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }

  @Test("the runs are those of one thread", arguments: [2, 3, 8])
  func sameRuns(threads: Int) async throws {
    let (one, several) = try await run {
      let plan = Self.plan(seeds: 10...5_000)
      return (try plan.run(), try plan.run(onThreads: threads))
    }
    #expect(one == several)
    #expect(several.runs == 4_991)
  }

  @Test("the lowest seed that fails is reported, with the same reduced run as on one thread")
  func lowestSeed() async throws {
    for first in stride(from: UInt64(1), to: 300, by: 30) {
      let (one, several) = try await run {
        let plan = Self.plan(seeds: first...2_000, failsAt: [7])
        return (
          #expect(throws: SimulationFailure.self) { try plan.run() },
          #expect(throws: SimulationFailure.self) { try plan.run(onThreads: 4) }
        )
      }
      #expect(one?.seed == several?.seed && one?.path == several?.path)
    }
  }

  @Test("the simulation ends if it must not continue")
  func interruption() async throws {
    let failure = try await run {
      #expect(throws: SimulationFailure.self) {
        try Self.plan(seeds: 1...100_000_000).run(onThreads: 2) { _ in false }
      }
    }
    guard case .interrupted(let runs) = failure?.reason else { return #expect(failure == nil) }
    #expect(runs < 100_000_000)
  }

  @Test("a simulation in a test can use several threads, up to the last possible seed")
  func simulation() async throws {
    let runs = Atomic(0)
    let summary = try await simulate(seeds: (.max - 499)...(.max), threads: 2) { world in
      runs.add(1, ordering: .relaxed)
      await withTaskGroup { group in
        for _ in 1...2 { group.addTask { await Task.yield() } }
      }
    }
    #expect(summary.runs == 500)
    #expect(runs.load(ordering: .relaxed) == 500 + summary.replaysCompared)
  }

  @Test("a failed expectation belongs to this test, on each thread")
  func expectation() async throws {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1_000, threads: 2) { world in #expect(world.choose(100) != 50) }
    }
    #expect(failure?.seed != nil)
  }
}
