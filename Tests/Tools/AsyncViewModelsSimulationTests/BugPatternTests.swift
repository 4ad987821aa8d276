import AsyncViewModelsBugPatterns
import AsyncViewModelsSimulation
import Foundation
import Testing

/// Each known bug pattern is found, refused or missed as its description says.
@Suite("Simulation: bug patterns", .timeLimit(.minutes(5)))
struct BugPatternTests {
  @Test("the simulator finds, refuses or misses a broken program as expected", arguments: BugPattern.all)
  func broken(pattern: BugPattern) async {
    let failure = await failure { () async throws(SimulationFailure) in
      try await simulate(
        seeds: BugPattern.seedsToFind, queues: pattern.queues, interruptions: pattern.interruptions,
        timerTolerance: pattern.timerTolerance,
        pattern.broken)
    }
    #expect(pattern.expected.isMet(by: failure?.reason), "\(failure.map { "\($0)" } ?? "not found")")
    guard case .found(let kind) = pattern.expected, let failure else { return }
    let again = await withCheckedContinuation { continuation in
      Foundation.Thread.detachNewThread {
        continuation.resume(
          returning: Result { try pattern.search().replay(failure.path, survivesTraps: true) })
      }
    }
    let reason = #expect(throws: SimulationFailure.self) { try again.get() }?.reason
    #expect(reason.map(BugPattern.Kind.init) == kind)
  }

  @Test("a repaired program passes", arguments: BugPattern.all)
  func repaired(pattern: BugPattern) async throws {
    try await simulate(
      seeds: 1...500, queues: pattern.queues, interruptions: pattern.interruptions,
      timerTolerance: pattern.timerTolerance, pattern.repaired)
  }

  @Test(
    "with only the hooks of Apple's runtime, a broken program is found as on Linux, or refused with the reason",
    arguments: BugPattern.all(with: .apple))
  func brokenOnApple(pattern: BugPattern) async {
    let result = await run(pattern.search(with: .apple))
    let failure: SimulationFailure? = if case .failure(let failure) = result { failure } else { nil }
    #expect(
      pattern.expected(with: .apple).isMet(by: failure?.reason), "\(failure.map { "\($0)" } ?? "not found")")
  }

  @Test(
    "with only the hooks of Apple's runtime, a repaired program passes",
    arguments: BugPattern.all(with: .apple).filter {
      $0.queues == .real && $0.interruptions == .atSuspensions
    })
  func repairedOnApple(pattern: BugPattern) async throws {
    _ = try await run(pattern.check(seeds: 1...200, with: .apple)).get()
  }

  /// Runs a plan on a thread that no other simulation uses.
  private func run(_ plan: SimulationPlan) async -> Result<SimulationSummary, SimulationFailure> {
    await withCheckedContinuation { continuation in
      Foundation.Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(SimulationFailure) in try plan.run() })
      }
    }
  }

  @Test("each pattern has its own name, and a thread with a title and an address")
  func descriptions() {
    #expect(Set(BugPattern.all.map(\.name)).count == BugPattern.all.count)
    for pattern in BugPattern.all {
      #expect(pattern.thread.url.hasPrefix("https://github.com/") && !pattern.thread.title.isEmpty)
    }
  }

  private func failure(
    of run: () async throws(SimulationFailure) -> some Any
  ) async -> SimulationFailure? {
    do throws(SimulationFailure) {
      _ = try await run()
      return nil
    } catch { return error }
  }
}

extension BugPattern: CustomTestStringConvertible {
  public var testDescription: String { name }
}
