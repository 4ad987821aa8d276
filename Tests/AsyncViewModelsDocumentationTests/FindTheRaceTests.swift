import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import Testing

/// The code of `Documentation/FindTheRace.md`, which shows it line by line.
@Suite("Guide: find the race", .timeLimit(.minutes(1)))
struct FindTheRaceTests {
  actor SearchModel {
    nonisolated let host: ActorHost
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
    private let find: @Sendable (String) async throws -> [String]
    private(set) var hits: [String] = []

    init(isolation: any Actor = Isolation(), find: @escaping @Sendable (String) async throws -> [String]) {
      host = ActorHost(isolation)
      self.find = find
    }

    func search(_ query: String) {
      Task {
        guard let found = try? await find(query) else { return }
        hits = found
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
    world.expectEqual(await model.hits, ["swift"])
  }

  actor RepairedSearchModel {
    nonisolated let host: ActorHost
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
    private let find: @Sendable (String) async throws -> [String]
    private(set) var hits: [String] = []
    private let slot = TaskSlot(.latest)

    init(isolation: any Actor = Isolation(), find: @escaping @Sendable (String) async throws -> [String]) {
      host = ActorHost(isolation)
      self.find = find
    }

    func search(_ query: String) {
      slot.run(on: self) { [find] in
        try await find(query)
      } commit: { model, outcome in
        if let found = outcome.value { model.hits = found }
      }
    }
  }

  actor ProfileModel {
    nonisolated let host: ActorHost
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
    private let load: @Sendable () async throws -> String
    private(set) var name: String?

    init(isolation: any Actor = Isolation(), load: @escaping @Sendable () async throws -> String) {
      host = ActorHost(isolation)
      self.load = load
    }

    func loadIfNeeded() async throws {
      guard name == nil else { return }
      name = try await load()
    }
  }

  static let loadsOnce: @Sendable (SimulatedWorld) async throws -> Void = { world in
    let loads = CallCount()
    let model = ProfileModel(isolation: world.isolation) {
      loads.add()
      try await world.faults.latency()
      return "Ada"
    }
    for screen in ["list", "detail"] { world.spawn(screen) { try await model.loadIfNeeded() } }
    await world.settle()
    world.expectEqual(loads.value, 1, "loads")
  }

  @Test("the stale search is found, and looks as the guide says")
  func staleSearch() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...20_000, Self.lastQueryWins)
    }
    try expectInGuide(failure)
    await #expect(throws: SimulationFailure.self) {
      try await simulate(replaying: failure.path, Self.lastQueryWins)
    }
    #if DEBUG
      await #expect(throws: SimulationFailure.self) {
        try await simulate(replaying: #require(SimulationPath("path:1=2")), Self.lastQueryWins)
      }
    #endif
  }

  @Test("the repaired search holds")
  func repaired() async throws {
    try await simulate(seeds: 1...5_000) { world in
      let model = RepairedSearchModel(isolation: world.isolation) { query in
        try await world.faults.latency()
        return [query]
      }
      await model.search("s")
      await model.search("swift")
      await world.settle()
      world.expectEqual(await model.hits, ["swift"])
    }
  }

  @Test("the double load is found, and looks as the guide says")
  func doubleLoad() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...20_000, Self.loadsOnce)
    }
    try expectInGuide(failure)
    await #expect(throws: SimulationFailure.self) {
      try await simulate(replaying: failure.path, Self.loadsOnce)
    }
  }

  @Test("the code of the guide stands in this file, line by line")
  func code() throws {
    let here = Set(
      try text("Tests/AsyncViewModelsDocumentationTests/FindTheRaceTests.swift").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    let blocks = try text("Documentation/FindTheRace.md").components(separatedBy: "```swift\n").dropFirst()
    let lines = blocks.flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let missing = lines.filter { !$0.hasPrefix("//") && !here.contains($0) }
    #expect(missing.isEmpty)
    #expect(lines.count > 30)
  }

  /// The guide shows the timelines of a debug build on Linux. The optimizer removes hops, so an optimized build has other seeds.
  private func expectInGuide(_ failure: SimulationFailure) throws {
    #if os(Linux) && DEBUG
      let isShown = try text("Documentation/FindTheRace.md").contains(failure.description)
      #expect(isShown, "\(failure)")
    #endif
  }

  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
