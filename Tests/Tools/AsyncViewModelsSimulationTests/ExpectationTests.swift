import AsyncViewModelsSimulation
import Synchronization
import Testing

/// Expectations of Swift Testing in a simulated world fail the run, as the expectations of the world do.
@Suite("Simulation: expectations of Swift Testing", .timeLimit(.minutes(5)))
struct ExpectationTests {
  /// Simulates a body with a failing expectation, and checks the message and the line of the failure.
  private func failure(
    at line: Int, saying text: String, _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) async throws -> SimulationFailure {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...200, body)
    }
    guard case .expectation(let message, let place) = failure.reason else {
      Issue.record("unexpected failure: \(failure)")
      return failure
    }
    #expect(message.contains(text), "\(failure)")
    #expect(place == "\(#fileID):\(line)", "\(failure)")
    return failure
  }

  @Test("the failure of an expectation has a seed, a timeline, and a path that replays the failure")
  func replay() async throws {
    let line = #line + 2
    let body: @Sendable (SimulatedWorld) async throws -> Void = { world in
      #expect(world.choose(3) < 2, "the third")
    }
    let failure = try await failure(at: line, saying: "the third", body)
    #expect(failure.path == SimulationPath("path:0=2"))
    #expect(failure.description.contains("\nreplay: SIMULATION_REPLAY='path:0=2'\n"))
    #expect(failure.description.hasPrefix("seed \(try #require(failure.seed)) (mixed): "))
    #expect(failure.timeline.last?.contains("the third") == true)
    let again = try await #require(throws: SimulationFailure.self) {
      try await simulate(replaying: failure.path, body)
    }
    #expect(again.reason == failure.reason)
  }

  @Test("an unmet `#require` or a recorded issue fails the run, and the failure names its line")
  func otherIssues() async throws {
    let requirement = #line + 2
    _ = try await failure(at: requirement, saying: "nil") { world in
      _ = try #require(world.flip() ? nil : 1 as Int?)
    }
    let issue = #line + 2
    _ = try await failure(at: issue, saying: "recorded") { world in
      if world.flip() { Issue.record("recorded") }
    }
  }

  @Test("an expectation in a spawned task, an unstructured task or a child task fails the run")
  func tasks() async throws {
    let spawned = #line + 2
    _ = try await failure(at: spawned, saying: "value") { world in
      await world.spawn("checking") { #expect(world.choose(2) == 0, "value") }.waitForEnd()
    }
    let unstructured = #line + 2
    _ = try await failure(at: unstructured, saying: "value") { world in
      await Task { #expect(world.choose(2) == 0, "value") }.value
    }
    let child = #line + 3
    _ = try await failure(at: child, saying: "value") { world in
      await withTaskGroup { group in
        group.addTask { #expect(world.choose(2) == 0, "value") }
      }
    }
  }

  @Test("a failed expectation whose text differs in each run is reduced and replayed, too")
  func differentTexts() async throws {
    let runs = Atomic(0)
    let line = #line + 3
    let failure = try await failure(at: line, saying: "the third in run") { world in
      let run = runs.add(1, ordering: .relaxed).newValue
      #expect(world.choose(3) < 2, "the third in run \(run)")
    }
    #expect(failure.path == SimulationPath("path:0=2"))
  }

  @Test("an issue within `withKnownIssue` does not fail the run")
  func knownIssue() async throws {
    let hasRun = Atomic(false)
    try await simulate(seeds: 1...1) { world in
      withKnownIssue(isIntermittent: true) {
        if !hasRun.exchange(true, ordering: .relaxed) { Issue.record("known") }
      }
    }
  }
}
