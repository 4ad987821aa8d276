import AsyncViewModelsSimulation
import Dispatch
import Testing

/// The code of the article `YourFirstSimulation` of `AsyncViewModelsSimulation`, which uses no view model of the toolkit.
@Suite("Article: your first simulation", .timeLimit(.minutes(5)))
enum YourFirstSimulationTests {
  private static let catalog = "Sources/AsyncViewModelsSimulation/AsyncViewModelsSimulation.docc"
  private static let article = "\(catalog)/YourFirstSimulation.md"

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

  /// Takes the place of `simulate` in the suites of the article: the simulation fails, and the article shows the report.
  static func simulate(
    seeds: ClosedRange<UInt64>, queues: QueueScheduling = .real,
    _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await AsyncViewModelsSimulation.simulate(seeds: seeds, queues: queues, body)
    }
    let report = "\(failure)".replacing(/AsyncViewModelsDocumentationTests\/(\w+)\.swift/) {
      "RacesTests/\($0.1)Tests.swift"
    }
    try expectOutput(report, in: article)
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
    try await AsyncViewModelsSimulation.simulate(seeds: 1...1_000) { world in
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

  @Test("the code of these files contains the examples of the catalog, in the same order")
  static func examples() throws {
    let (file, account) = ("YourFirstSimulationTests.swift", "YourFirstSimulation/Account.swift")
    try expectExamples(
      of: article, in: file, account, file, "YourFirstSimulation/Search.swift",
      except: { $0.contains("PackageDescription") })
    try expectExamples(of: "\(catalog)/AsyncViewModelsSimulation.md", in: account)
  }
}
