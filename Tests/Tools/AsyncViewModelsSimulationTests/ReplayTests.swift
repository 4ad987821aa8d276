import AsyncViewModelsSimulation
import Synchronization
import Testing

/// A failure has a path: the decisions of the run. The simulation reduces the path as far as possible, and a
/// test can replay it.
@Suite("Simulation: replay and reduction", .timeLimit(.minutes(5)))
struct ReplayTests {
  private static let lostUpdate: @Sendable (SimulatedWorld) async throws -> Void = { world in
    let count = Mutex(0)
    let tasks = (1...3).map { number in
      world.spawn("counter \(number)") {
        let before = count.withLock { $0 }
        await Task.yield()
        count.withLock { $0 = before + 1 }
      }
    }
    for number in 1...3 {
      world.spawn("bystander \(number)", canBeLeftOut: true) { for _ in 0..<4 { await Task.yield() } }
    }
    for task in tasks { await task.waitForEnd() }
    world.expectEqual(count.withLock { $0 }, 3, "count")
  }

  private func findFailure() async throws -> SimulationFailure {
    try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1_000, Self.lostUpdate)
    }
  }

  @Test("a path that is parsed from its printed form replays the same run")
  func path() async throws {
    let failure = try await findFailure()
    let path = try #require(SimulationPath(failure.path.description))
    #expect(path == failure.path)
    let again = try await #require(throws: SimulationFailure.self) {
      try await simulate(replaying: path, Self.lostUpdate)
    }
    #expect(again.timeline == failure.timeline)
    #expect(again.reason == failure.reason)
  }

  @Test("the failure of a replayed path names the path and no seed")
  func replayDescription() async throws {
    let path = try await findFailure().path
    let again = try await #require(throws: SimulationFailure.self) {
      try await simulate(replaying: path, Self.lostUpdate)
    }
    #expect(again.seed == nil)
    #expect(again.description.hasPrefix("\(path): count"))
    #expect(again.description.contains("\nreplay: SIMULATION_REPLAY='\(path)'\n"))
    #expect(!again.description.contains("seed") && !again.description.contains("reduced"))
  }

  @Test("a failure of an exhaustive simulation names no seed to replay, because a seed only numbers the run")
  func exhaustiveDescription() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(strategy: .exhaustive(preemptions: 2)) { world in
        world.expectEqual(world.choose(3), 0, "choice")
      }
    }
    #expect(failure.description.hasPrefix("run 2 (exhaustive:2): choice"))
    #expect(failure.description.contains("\nreplay: SIMULATION_REPLAY='\(failure.path)'\n"))
  }

  @Test("a failing seed leads to the same failure again")
  func seed() async throws {
    let failure = try await findFailure()
    let seed = try #require(failure.seed)
    let again = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: seed...seed, Self.lostUpdate)
    }
    #expect(again.description == failure.description)
  }

  @Test("the reduction removes optional tasks and keeps one decision that differs from the default order")
  func reduction() async throws {
    let failure = try await findFailure()
    #expect(failure.path.turns == 1, "\(failure)")
    #expect(!failure.timeline.contains { $0.contains("bystander") }, "\(failure)")
    #expect(failure.originalTurns >= failure.path.turns)
  }

  @Test("the reduction keeps a required task, even if it gets the spawn number of an omitted task")
  func neededTask() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...100) { world in
        let isJoined = world.flip()
        if isJoined { world.spawn("bystander", canBeLeftOut: true) {} }
        let count = Mutex(0)
        world.spawn("needed") { count.withLock { $0 += 1 } }
        await world.settle()
        let isCounted = count.withLock { $0 } == 1
        world.expect(isCounted && !isJoined, "joined: \(isJoined), counted: \(isCounted)")
      }
    }
    #expect("\(failure.reason)".contains("joined: true, counted: true"), "\(failure)")
  }

  @Test("an empty path replays the default order")
  func defaultOrder() async throws {
    try await simulate(replaying: try #require(SimulationPath("path:"))) { world in
      world.expectEqual(world.choose(5), 0)
    }
  }

  @Test(
    "text that is not a path is rejected",
    arguments: [
      "", "5=1", "path:x", "path:5", "path:5=0", "path:5=1,3=1", "path:-x", "path:--1", "path:1000001=1",
      "path:1000000=1,1000001=1", "path:1000000=1,1000000=1",
    ])
  func invalidPath(text: String) { #expect(SimulationPath(text) == nil) }

  @Test(
    "strategies are parsed from their printed form", arguments: ["random", "mixed", "pct:3", "exhaustive:2"])
  func strategies(name: String) throws {
    #expect(try #require(SimulationStrategy(name)).description == name)
  }

  @Test(
    "text that is not a strategy is rejected",
    arguments: ["", "fast", "pct:0", "pct:", "exhaustive:-1", "random:2"])
  func invalidStrategy(name: String) { #expect(SimulationStrategy(name) == nil) }

  @Test("the picture is an SVG image that contains the name of a task")
  func picture() async throws {
    let failure = try await findFailure()
    #expect(failure.picture.hasPrefix("<svg"))
    #expect(failure.picture.contains("counter 1"))
  }
}
