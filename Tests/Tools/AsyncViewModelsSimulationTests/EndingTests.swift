import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Dispatch
import Foundation
import Synchronization
import Testing

/// Checks how runs end. The simulation detects each failure itself, without a timeout.
@Suite("Simulation: how runs end", .timeLimit(.minutes(5)))
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
      await left.waitForEnd()
      await right.waitForEnd()
    }
    #expect(failure.reason == .deadlock(waiting: ["body", "left", "right"]))
  }

  @Test("a task that never stops yielding is a livelock")
  func livelock() async throws {
    let failure = try await failure(stepLimit: 500) { world in
      await world.spawn("spinning") { while !Task.isCancelled { await Task.yield() } }.waitForEnd()
    }
    #expect(failure.reason == .livelock(steps: 500, running: "spinning"))
  }

  @Test("the report of a livelock shows repeating steps only once")
  func cycle() async throws {
    let failure = try await failure { world in
      let retrying = world.spawn("retrying") {
        while !Task.isCancelled {
          try await world.clock.sleep(for: .seconds(1))
          world.log("retries")
        }
      }
      await retrying.waitForEnd()
    }
    // The optimizer changes the names of functions.
    let timeline = failure.timeline.map { $0.replacing(#/ in [^,]*/#, with: "") }
    #expect(
      timeline == [
        "  1  body      runs, starts retrying",
        "  2  retrying  runs",
        "     — time advances to 1.0 seconds —",
        "  3  retrying  runs",
        "     retrying  retries",
        "     — time advances to 2.0 seconds —",
        "     — step 3 repeats 9998 times, until step 10000 —",
        "     ✗ livelock: still running after 10000 steps; retrying ran last",
      ], "\(failure)")
  }

  @Test("the report of a livelock between several tasks shows their cycle of steps only once")
  func longCycle() async throws {
    let failure = try await failure(stepLimit: 1_000) { world in
      let phase = Atomic(0)
      let tasks = (0..<3).map { number in
        world.spawn("task \(number)") {
          while true {
            while phase.load(ordering: .relaxed) != number { await Task.yield() }
            phase.store((number + 1) % 3, ordering: .relaxed)
          }
        }
      }
      for task in tasks { await task.waitForEnd() }
    }
    #expect(failure.timeline.count < 40, "\(failure)")
    #expect(failure.timeline.contains { $0.contains("repeat") && $0.contains("until step 1000") })
    #expect(failure.picture.contains("until step 1000"))
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
      await polling.waitForEnd()
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
    let failure = try await failure { world in await world.spawn("breaking") { throw Broken() }.waitForEnd() }
    #expect(failure.reason == .thrown("Broken()", by: "breaking"))
    try await simulate(seeds: 1...10) { world in
      await world.spawn("cancelled") { throw CancellationError() }.waitForEnd()
    }
  }

  @Test("the run fails if a real thread resumes a task, because the task has left the world")
  func leaving() async throws {
    let failure = try await failure { world in
      await world.spawn("going") {
        await withCheckedContinuation { continuation in
          let body = SuspendedBody()
          Thread {
            body.act { continuation.resume() }
          }.start()
        }
      }.waitForEnd()
    }
    #expect(failure.reason == .leftTheWorld("going", call: Self.seen("Thread.start")))
  }

  @Test("without simulated queues, a task that a dispatch queue resumes leaves the world")
  func realQueue() async throws {
    let failure = try await failure { world in
      await world.spawn("going") {
        await withCheckedContinuation { continuation in
          let body = SuspendedBody()
          DispatchQueue(label: "real").asyncAfter(deadline: .now() + 0.05) {
            body.act { continuation.resume() }
          }
        }
      }.waitForEnd()
    }
    #expect(failure.reason == .leftTheWorld("going", call: Self.seen("DispatchQueue.asyncAfter")))
  }

  /// The call that a failure names, on platforms where the simulation sees such calls.
  private static func seen(_ call: String) -> String? {
    #if canImport(Darwin)
      nil
    #else
      call
    #endif
  }

  @Test("an expectation that fails on a thread outside the world keeps its message and its place")
  func expectationElsewhere() async throws {
    let failure = try await failure { world in Self.failElsewhere(in: world) }
    #expect("\(failure.reason)".contains("sum expected 2, got 1 (File.swift:7)"), "\(failure)")
    #expect("\(failure.reason)".contains("outside the world"), "\(failure)")
  }

  /// Not `async`, because async code on Apple platforms cannot wait for a semaphore.
  private static func failElsewhere(in world: SimulatedWorld) {
    let hasChecked = DispatchSemaphore(value: 0)
    Thread {
      world.expectEqual(1, 2, "sum", file: "File.swift", line: 7)
      hasChecked.signal()
    }.start()
    hasChecked.wait()
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

  @Test("a cancelled simulation throws `interrupted`, so that it does not look like a passed simulation")
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
