import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation
import Foundation

/// The results of all scenarios.
struct Report {
  /// The name of the strategy, or the path of a replay.
  let strategy: String
  let isInterrupted: Bool
  let results: [ScenarioResult]
  let planned: Int

  var hasFailures: Bool { results.contains { $0.failure != nil } }

  private var replays: String {
    let different = results.count {
      if case .notReproducible = $0.failure?.reason { true } else { false }
    }
    return different == 0 ? "all equal" : "different in \(different) scenarios"
  }

  private func total(_ count: KeyPath<SimulationSummary, Int>) -> Int {
    results.map { $0.summary[keyPath: count] }.reduce(0, +)
  }

  private var runs: Int { results.map(\.runs).reduce(0, +) }

  private var seconds: Double { results.map(\.processorTime).reduce(.zero, +) / .seconds(1) }

  private var rate: Int { Int(Double(runs) / max(seconds, 1e-9)) }

  var text: String {
    let failed = results.filter { $0.failure != nil }.map(\.scenario.name)
    var lines = [
      "",
      "scenarios            \(results.count)\(isInterrupted ? " of \(planned), interrupted" : "")",
      "seeds                \(runs.grouped)",
      "interleavings/s      \(rate.grouped) on a core",
      "distinct schedules   \(total(\.distinctSchedules).grouped)",
      "choices              \(total(\.choices).grouped)",
      "replays compared     \(total(\.replaysCompared).grouped) (\(replays))",
    ]
    if failed.isEmpty {
      lines.append("failed               0")
    } else {
      lines.append("failed               \(failed.count): \(failed.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(
      Document(
        strategy: strategy, isInterrupted: isInterrupted, seeds: runs,
        interleavingsPerSecond: rate,
        distinctSchedules: total(\.distinctSchedules), replaysCompared: total(\.replaysCompared),
        scenarios: results.map(Document.Scenario.init)))
  }

  private struct Document: Encodable {
    struct Scenario: Encodable {
      let name: String
      let runs: Int
      let distinctSchedules: Int
      let isExhaustive: Bool
      let isInterrupted: Bool
      let seconds: Double
      let failure: Failure?

      init(_ result: ScenarioResult) {
        name = result.scenario.name
        runs = result.runs
        distinctSchedules = result.summary.distinctSchedules
        isExhaustive = result.summary.isExhaustive
        isInterrupted = result.isInterrupted
        seconds = result.duration / .seconds(1)
        failure = result.failure.map {
          Failure(reason: "\($0.reason)", seed: $0.seed, path: "\($0.path)", timeline: $0.fullTimeline)
        }
      }
    }

    struct Failure: Encodable {
      let reason: String
      /// `nil` for a replay of a path.
      let seed: UInt64?
      let path: String
      let timeline: [String]
    }

    let strategy: String
    let isInterrupted: Bool
    let seeds: Int
    let interleavingsPerSecond: Int
    let distinctSchedules: Int
    let replaysCompared: Int
    let scenarios: [Scenario]
  }
}
