import AsyncViewModelsSimulation
import Dispatch
import SimulatedQueues
import Testing

/// The code of the article `YourFirstSimulation` of `AsyncViewModelsSimulation`, which uses no view model of the toolkit.
@Suite("Article: your first simulation", .timeLimit(.minutes(5)))
enum YourFirstSimulationTests {
  private static let catalog = "Sources/AsyncViewModelsSimulation/AsyncViewModelsSimulation.docc"

  actor Account {
    private(set) var balance = 100
    private let confirm: @Sendable () async throws -> Void

    init(confirm: @escaping @Sendable () async throws -> Void) { self.confirm = confirm }

    func withdraw(_ amount: Int) async throws {
      guard balance >= amount else { return }
      try await confirm()
      balance -= amount
    }
  }

  @Suite("the account", .timeLimit(.minutes(5)))
  struct AccountTests {
    static let twoCards: @Sendable (SimulatedWorld) async throws -> Void = { world in
      let account = Account { try await world.faults.latency() }
      for card in ["card 1", "card 2"] {
        world.spawn(card) { try await account.withdraw(80) }
      }
      await world.settle()
      world.expectEqual(await account.balance, 20)
    }

    @Test("two cards cannot overdraw the account, and the article shows the failure")
    func overdrawn() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1_000, Self.twoCards)
      }
      try expectOutput(of: failure, in: "\(catalog)/YourFirstSimulation.md")
    }
  }

  actor RepairedAccount {
    private(set) var balance = 100
    private let confirm: @Sendable () async throws -> Void

    init(confirm: @escaping @Sendable () async throws -> Void) { self.confirm = confirm }

    func withdraw(_ amount: Int) async throws {
      guard balance >= amount else { return }
      balance -= amount
      do {
        try await confirm()
      } catch {
        balance += amount
        throw error
      }
    }
  }

  @Test("the repaired account is never overdrawn, and a failure gives the amount back")
  static func repaired() async throws {
    try await simulate(seeds: 1...1_000) { world in
      let account = RepairedAccount { try await world.faults.latency() }
      for card in ["card 1", "card 2"] {
        world.spawn(card) { try await account.withdraw(80) }
      }
      await world.settle()
      world.expectEqual(await account.balance, 20)
    }
    let account = RepairedAccount { throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await account.withdraw(80) }
    #expect(await account.balance == 100)
  }

  final class Search: @unchecked Sendable {
    private let queue = DispatchQueue(label: "search")
    private let find: @Sendable (String) -> [String]
    private var results: [String] = []  // guarded by `queue`

    init(find: @escaping @Sendable (String) -> [String]) { self.find = find }

    var shown: [String] { queue.sync { results } }

    func search(_ query: String) {
      DispatchQueue.global().async { [self] in
        let found = find(query)
        queue.async { self.results = found }
      }
    }
  }

  #if os(Linux)
    static let lastQuery: @Sendable (SimulatedWorld) async throws -> Void = { world in
      let search = Search { query in [query] }
      search.search("s")
      search.search("swift")
      await world.settle()
      world.expectEqual(search.shown, ["swift"])
    }

    @Test("a simulation of queues finds the older answer that replaces a newer one")
    static func staleAnswer() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1_000, queues: .simulated, Self.lastQuery)
      }
      Repository.show(failure)
      #expect("\(failure)".contains(#"expected ["swift"], got ["s"]"#))
    }
  #endif

  @Test("the code of this file contains the examples of the catalog, in the same order")
  static func examples() throws {
    try expectExamples(of: "\(catalog)/YourFirstSimulation.md", in: "YourFirstSimulationTests.swift")
    try expectExamples(of: "\(catalog)/AsyncViewModelsSimulation.md", in: "YourFirstSimulationTests.swift")
  }
}
