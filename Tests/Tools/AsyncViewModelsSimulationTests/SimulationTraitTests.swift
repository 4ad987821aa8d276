import AsyncViewModelsSimulation
import Synchronization
import Testing

/// The trait `simulated`, with which an existing test runs under many seeds.
@Suite("Simulation: the trait", .timeLimit(.minutes(5)), .serialized)
struct SimulationTraitTests {
  private static let runs = Mutex(0)
  private static let orders = Mutex<Set<[Int]>>([])

  @Test("a test runs once for each seed, on virtual time", .simulated(seeds: 1...200))
  func runsForEachSeed() async throws {
    Self.runs.withLock { $0 += 1 }
    let log = OrderLog()
    await withTaskGroup { group in
      for number in 1...2 {
        group.addTask {
          try? await Task.sleep(for: .seconds(3_600))
          log.append(number)
        }
      }
    }
    let order = log.order
    #expect(order.sorted() == [1, 2])
    Self.orders.withLock { _ = $0.insert(order) }
    #expect(SimulatedWorld.current != nil)
  }

  @Test("the seeds choose different orders")
  func ordersOfTheTestBefore() {
    // The first run repeats to compare it.
    #expect(Self.runs.withLock(\.self) >= 200)
    #expect(Self.orders.withLock(\.count) == 2)
    #expect(SimulatedWorld.current == nil)
  }

  @Test("each argument of a test has its simulation", .simulated(seeds: 1...20), arguments: 1...3)
  func arguments(number: Int) async {
    await Task.yield()
    #expect((1...3).contains(number))
  }

  #if os(Linux)
    @Test("a test function that can never return fails the test, and the process continues", arguments: 1...3)
    func suspendedFunction(kind: Int) async throws {
      let trait: SimulationTrait = .simulated(seeds: 1...100, stepLimit: 100)
      let test = try #require(Test.current)
      let token = OrderLog()
      let failure = try await #require(throws: SimulationFailure.self) {
        try await trait.provideScope(for: test, testCase: nil) {
          switch kind {
          case 1: await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
          case 2: while true { await Task.yield() }
          default: preconditionFailure("as planned")
          }
          token.append(1)
        }
      }
      switch (kind, failure.reason) {
      case (1, .deadlock), (2, .livelock), (3, .trapped): break
      default: Issue.record("unexpected failure: \(failure)")
      }
      #expect(token.order.isEmpty)
    }

    @Test("a thread that resumes a task after its failed run does not let it run")
    func lateResumption() async throws {
      let late = Mutex<CheckedContinuation<Void, Never>?>(nil)
      let continued = Mutex(false)
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1) { _ in
          await withCheckedContinuation { continuation in late.withLock { $0 = continuation } }
          continued.withLock { $0 = true }
        }
      }
      guard case .deadlock = failure.reason else { return #expect("\(failure)" == "") }
      late.withLock { $0 }?.resume()
      for _ in 1...100 { await Task.yield() }
      #expect(!continued.withLock { $0 })
    }
  #endif

  @Test("a failed expectation and an error fail the test once, with the seed")
  func failures() async throws {
    for isThrown in [false, true] {
      try await withKnownIssue {
        let trait: SimulationTrait = .simulated(seeds: 1...100)
        let test = try #require(Test.current)
        try await trait.provideScope(for: test, testCase: nil) {
          await Task.yield()
          if isThrown { throw CancellationError() }
          #expect(Bool(false))
        }
      } matching: { issue in
        (issue.error as? SimulationFailure)?.seed == 1
      }
    }
  }
}

private final class OrderLog: Sendable {
  private let numbers = Mutex<[Int]>([])

  var order: [Int] { numbers.withLock(\.self) }

  func append(_ number: Int) { numbers.withLock { $0.append(number) } }
}
