import AsyncViewModels
import AsyncViewModelsSimulation
import Synchronization
import Testing

/// The code of the guide `FindTheRace`.
@Suite("Guide: find the race", .timeLimit(.minutes(5)))
struct FindTheRaceTests {
  actor SearchModel: ViewModelActor {
    nonisolated let modelState: ModelState<[String]>
    private let find: @Sendable (String) async throws -> [String]

    init(isolation: (any Actor)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
      modelState = ModelState([], on: isolation)
      self.find = find
    }

    func search(_ query: String) {
      Task {
        guard let found = try? await find(query) else { return }
        store.send(found)
      }
    }
  }

  static let lastQueryWins: @Sendable (SimulatedWorld) async throws -> Void = { world in
    let model = SearchModel(isolation: world.isolation) { query in
      try await world.faults.latency()
      return [query]
    }
    await model.search("s")
    await model.search("swift")
    await world.settle()
    world.expectEqual(model.state, ["swift"])
  }

  @Test("the simulation finds the stale search, and the guide shows the same output")
  func staleSearch() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...20_000, Self.lastQueryWins)
    }
    try expectOutput(of: failure, in: Repository.article("FindTheRace"))
    await #expect(throws: SimulationFailure.self) {
      try await simulate(replaying: failure.path, Self.lastQueryWins)
    }
    #if DEBUG
      await #expect(throws: SimulationFailure.self) {
        try await simulate(replaying: #require(SimulationPath("path:1=2")), Self.lastQueryWins)
      }
    #endif
    Repository.show(failure)
  }

  actor RepairedSearchModel: ViewModelActor {
    nonisolated let modelState: ModelState<[String]>
    private let find: @Sendable (String) async throws -> [String]
    private let slot = TaskSlot(.latest)

    init(isolation: (any Actor)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
      modelState = ModelState([], on: isolation)
      self.find = find
    }

    func search(_ query: String) {
      _ = slot.start(on: self) { [find] in
        try await find(query)
      } commit: { model, outcome in
        if let found = outcome.value { model.store.send(found) }
      }
    }
  }

  actor ProfileModel: ViewModelActor {
    nonisolated let modelState: ModelState<String?>
    private let name: @Sendable () async throws -> String

    init(isolation: (any Actor)? = nil, name: @escaping @Sendable () async throws -> String) {
      modelState = ModelState(nil, on: isolation)
      self.name = name
    }

    func load() async throws {
      guard state == nil else { return }
      store.send(try await name())
    }
  }

  static let loadsOnce: @Sendable (SimulatedWorld) async throws -> Void = { world in
    let loads = Mutex(0)
    let model = ProfileModel(isolation: world.isolation) {
      loads.withLock { $0 += 1 }
      try await world.faults.latency()
      return "Ada"
    }
    for screen in ["list", "detail"] { world.spawn(screen) { try await model.load() } }
    await world.settle()
    world.expectEqual(loads.withLock { $0 }, 1, "loads")
  }

  @Test("the repaired search shows the last query under 5,000 seeds")
  func repaired() async throws {
    try await simulate(seeds: 1...5_000) { world in
      let model = RepairedSearchModel(isolation: world.isolation) { query in
        try await world.faults.latency()
        return [query]
      }
      await model.search("s")
      await model.search("swift")
      await world.settle()
      world.expectEqual(model.state, ["swift"])
    }
  }

  @Test("the simulation finds the double load, and the guide shows the same output")
  func doubleLoad() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...20_000, Self.loadsOnce)
    }
    try expectOutput(of: failure, in: Repository.article("FindTheRace"))
    await #expect(throws: SimulationFailure.self) {
      try await simulate(replaying: failure.path, Self.loadsOnce)
    }
    Repository.show(failure)
  }

  @Test("a load that is cancelled leaves no result", .simulated(seeds: 1...200))
  func cancelledLoad() async throws {
    let model = ProfileModel {
      try await Task.sleep(for: .seconds(1))
      return "Ada"
    }
    let load = Task { try await model.load() }
    load.cancel()
    _ = await load.result
    #expect(model.state == nil)
  }

  @Test("the code of this file contains the examples of the guide, in the same order")
  func examples() throws {
    try expectExamples(of: Repository.article("FindTheRace"), in: "FindTheRaceTests.swift")
  }
}
