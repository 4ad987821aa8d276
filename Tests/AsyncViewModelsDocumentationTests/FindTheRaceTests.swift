import AsyncViewModels
import AsyncViewModelsSimulation
import Synchronization
import Testing

/// The code of the guide `FindTheRace`.
@Suite("Guide: find the race", .timeLimit(.minutes(5)))
struct FindTheRaceTests {
  /// Takes the place of `simulate` in the tests of the guide: the simulation fails, the guide shows the report, and the
  /// path of the report repeats the failure.
  private func simulate(
    seeds: ClosedRange<UInt64>, _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await AsyncViewModelsSimulation.simulate(seeds: seeds, body)
    }
    try expectOutput("\(failure)", in: Repository.article("FindTheRace"))
    #expect("\(failure)".contains("SIMULATION_REPLAY='\(failure.path)'"))
    await #expect(throws: SimulationFailure.self) {
      try await AsyncViewModelsSimulation.simulate(replaying: failure.path, body)
    }
  }

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

  @Test("the last query wins")
  func staleSearch() async throws {
    try await simulate(seeds: 1...20_000) { world in
      let model = SearchModel(isolation: world.isolation) { query in
        try await world.faults.latency()
        return [query]
      }
      await model.search("s")
      await model.search("swift")
      await world.settle()
      world.expectEqual(model.state, ["swift"])
    }
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

  @Test("the profile is loaded once")
  func doubleLoad() async throws {
    try await simulate(seeds: 1...20_000) { world in
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
  }

  @Test("the repaired search shows the last query under 5,000 seeds")
  func repaired() async throws {
    try await AsyncViewModelsSimulation.simulate(seeds: 1...5_000) { world in
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
