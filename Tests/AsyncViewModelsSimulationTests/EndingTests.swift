import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Foundation
import Synchronization
import Testing

/// Checks how runs end. The simulation detects each failure itself, without a timeout.
@Suite("Simulation: how runs end", .timeLimit(.minutes(1)))
struct EndingTests {
  private func failure(
    stepLimit: Int = 10_000, _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) async throws -> SimulationFailure {
    try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...100, stepLimit: stepLimit, body)
    }
  }

  @Test("two tasks that wait for each other are a deadlock, and the failure names them")
  func deadlock() async throws {
    let failure = try await failure { world in
      let gates = (Gate(), Gate())
      let left = world.spawn("left") {
        await gates.0.wait()
        gates.1.open()
      }
      let right = world.spawn("right") {
        await gates.1.wait()
        gates.0.open()
      }
      await left.finish()
      await right.finish()
    }
    #expect(failure.reason == .deadlock(waiting: ["body", "left", "right"]))
  }

  @Test("a task that never stops yielding is a livelock")
  func livelock() async throws {
    let failure = try await failure(stepLimit: 500) { world in
      await world.spawn("spinning") { while !Task.isCancelled { await Task.yield() } }.finish()
    }
    #expect(failure.reason == .livelock(steps: 500, running: "spinning"))
  }

  @Test("a task that yields until another task is done is not reported as a livelock")
  func fairness() async throws {
    try await simulate(seeds: 1...200) { world in
      let isDone = Atomic(false)
      let polling = world.spawn("polling") {
        while !isDone.load(ordering: .relaxed) { await Task.yield() }
      }
      world.spawn("working") {
        for _ in 0..<20 { await Task.yield() }
        isDone.store(true, ordering: .relaxed)
      }
      await polling.finish()
    }
  }

  @Test("the failure names a task that is still suspended when the body has ended")
  func unfinished() async throws {
    let gate = Gate()
    let failure = try await failure { world in world.spawn("forgotten") { await gate.wait() } }
    #expect(failure.reason == .unfinished(["forgotten"]))
    gate.open()
  }

  @Test("an error that a task throws fails the run, unless it is a cancellation")
  func thrown() async throws {
    struct Broken: Error {}
    let failure = try await failure { world in await world.spawn("breaking") { throw Broken() }.finish() }
    #expect(failure.reason == .thrown("Broken()", by: "breaking"))
    try await simulate(seeds: 1...10) { world in
      await world.spawn("cancelled") { throw CancellationError() }.finish()
    }
  }

  @Test("the run fails if a real thread resumes a task, because the task has left the world")
  func leaving() async throws {
    let failure = try await failure { world in
      await world.spawn("going") {
        await withCheckedContinuation { continuation in Thread { continuation.resume() }.start()
        }
      }.finish()
    }
    #expect(failure.reason == .leftTheWorld("going"))
  }

  @Test("a simulation fails if a second run of the same seed differs from the first run")
  func notReproducible() async throws {
    let runs = Atomic(0)
    let failure = try await failure { world in
      let turns = runs.add(1, ordering: .relaxed).newValue
      for _ in 0..<turns { await Task.yield() }
    }
    guard case .notReproducible = failure.reason else {
      Issue.record("unexpected failure: \(failure)")
      return
    }
  }

  @Test("a cancelled simulation throws, so that it does not look like one whose runs have all passed")
  func cancellation() async throws {
    let runs = Atomic(0)
    let simulation = Task {
      try await simulate(seeds: 1...UInt64.max) { _ in runs.add(1, ordering: .relaxed) }
    }
    while runs.load(ordering: .relaxed) == 0 { await Task.yield() }
    simulation.cancel()
    let failure = try await #require(throws: SimulationFailure.self) { try await simulation.value }
    guard case .interrupted(let runs) = failure.reason else {
      Issue.record("unexpected failure: \(failure)")
      return
    }
    #expect(runs > 0)
  }
}
