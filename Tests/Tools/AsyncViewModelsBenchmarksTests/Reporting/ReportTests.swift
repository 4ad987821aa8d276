import Foundation
import StorefrontTesting
import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct ReportTests {
  private func measurement(
    _ variant: String, samples: [Double], memory: Int? = 2_000_000, threads: Int? = 3
  ) -> VariantResult {
    VariantResult(
      variant: variant, iterationsPerSample: 10, operationsPerSample: 10, time: Statistics(samples), cpu: 12,
      memory: memory, threads: threads, allocations: 2, contextSwitches: 0.25)
  }

  private func report(
    _ groups: [GroupResult], isDebugBuild: Bool = false, isInterrupted: Bool = false
  ) -> Report {
    Report(
      date: Date(timeIntervalSince1970: 1_750_000_000),
      machine: Machine(system: "Linux", architecture: "x86-64", cores: 2, isDebugBuild: isDebugBuild),
      mode: "quick", command: "Benchmarks --quick", isInterrupted: isInterrupted, groups: groups)
  }

  private func group(_ measurements: [VariantResult], failures: [GroupResult.Failure] = []) -> GroupResult {
    GroupResult(
      section: "State", title: "send", unit: "value", reference: "Mutex", measurements: measurements,
      failures: failures)
  }

  private let steady = [10.0, 10, 10, 10, 10]

  @Test("the table is aligned, and compares each variant with the reference")
  func table() {
    let table = report([
      group([
        measurement("Mutex", samples: steady), measurement("StateStore", samples: steady.map { $0 * 2 }),
      ])
    ]).table()
    #expect(
      table.hasPrefix(
        """

        STATE

        send (per value)
                       median      p90      p99    least  spread      CPU  allocs  switches    memory  threads        against
          Mutex       10.0 ns  10.0 ns  10.0 ns  10.0 ns    ±0 %  12.0 ns       2      0.25  +2.00 MB        3      reference
          StateStore  20.0 ns  20.0 ns  20.0 ns  20.0 ns    ±0 %  12.0 ns       2      0.25  +2.00 MB        3  2.00× as long

        """))
  }

  @Test(
    "rows with a wide spread, with two clusters of samples or with too few samples are marked as unsteady")
  func unsteady() {
    let wide = report([group([measurement("Mutex", samples: [5, 7, 10, 13, 15])])]).table()
    #expect(wide.contains("~ ±30 %"))
    #expect(wide.contains("~  unsteady"))
    let bimodal = measurement("Mutex", samples: [10, 10, 10, 10, 10, 10, 10, 10, 90, 90])
    #expect(report([group([bimodal])]).table().contains("~ ±0 %"))
    #expect(report([group([measurement("Mutex", samples: [10, 10])])]).table().contains("~ ±0 %"))
    #expect(!report([group([measurement("Mutex", samples: steady)])]).table().contains("~"))
  }

  @Test("metrics are listed below their table")
  func metrics() {
    var counted = measurement("Mutex", samples: steady)
    counted.metrics = [
      MetricResult(name: "service calls", unit: "", statistics: Statistics([12])),
      MetricResult(name: "per observer", unit: "bytes", statistics: Statistics([200, 301])),
    ]
    #expect(report([group([counted])]).table().contains("  Mutex: service calls 12 · per observer 251 bytes"))
  }

  @Test("of a metric with several values in each sample, the table has the median and the 99th percentile")
  func distributions() {
    var counted = measurement("Mutex", samples: steady)
    counted.metrics = [
      MetricResult(
        name: "tap to render", unit: "ms", statistics: Statistics([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
    ]
    #expect(report([group([counted])]).table().contains("  Mutex: tap to render p50 6 ms, p99 10.9 ms"))
  }

  @Test("targets are listed at the end with their numbers, and a target that falls short is marked")
  func targets() {
    var report = report([])
    report.targets = [
      TargetResult(
        work: "send", promise: "≤ 1.4 ×", bound: .atMost(1.4), unit: "×", measured: 1.5, section: "A"),
      TargetResult(
        work: "leave", promise: "≤ 2 ×", bound: .atMost(2), unit: "×", measured: nil, section: "B"),
    ]
    #expect(
      report.targetLines == [
        "", "TARGETS", "",
        "  A              measured       verdict", "  send: ≤ 1.4 ×    1.50 ×   FALLS SHORT", "",
        "  B              measured       verdict", "  leave: ≤ 2 ×          –  not measured",
      ])
  }

  @Test("a value that the platform does not report is shown as a dash")
  func unknown() {
    let table = report([group([measurement("Mutex", samples: steady, memory: nil, threads: nil)])]).table()
    #expect(table.contains("–: not available on this platform."))
    #expect(!table.contains("+0"))
  }

  @Test("if the reference variant has no result, the other variants are not compared")
  func noReference() {
    let result = group([measurement("StateStore", samples: steady)])
    #expect(result.ratio(of: result.measurements[0]) == nil)
    #expect(!report([result]).table().contains("as long"))
  }

  @Test("the table contains a failed variant with its reason")
  func failure() {
    let failed = report([group([], failures: [.init(variant: "Mutex", message: "no server")])])
    #expect(failed.hasFailures)
    #expect(failed.table().contains("FAILED Mutex: no server"))
  }

  @Test("the table warns of a debug build and of an interruption")
  func warnings() {
    #expect(report([], isDebugBuild: true).table().contains("DEBUG build"))
    #expect(report([], isInterrupted: true).table().contains("INTERRUPTED"))
    let clean = report([]).table()
    #expect(!clean.contains("DEBUG") && !clean.contains("INTERRUPTED"))
  }

  @Test("the stages in a report are the stages of the migration, in order")
  func stageNames() {
    #expect(Report.stages == MigrationStage.allCases.map(\.variant))
  }

  @Test("the stages of each feature are side by side at the end; a stage without a result is shown as a dash")
  func stages() {
    let feature = GroupResult(
      section: "Search", title: "submit", unit: "query", reference: "closure stage",
      measurements: [
        measurement("closure stage", samples: steady),
        measurement("async stage", samples: steady.map { $0 / 2 }),
      ],
      failures: [])
    let lines = report([group([measurement("Mutex", samples: steady)]), feature]).stageLines
    #expect(
      lines.suffix(2) == [
        "  median          closure stage  stream stage  async stage  closure : async",
        "  Search: submit        10.0 ns             –      5.00 ns         2.00 : 1",
      ])
    #expect(report([group([measurement("Mutex", samples: steady)])]).stageLines.isEmpty)
  }

  @Test("a report that is decoded from its own JSON equals the original")
  func json() throws {
    let original = report([
      group(
        [
          measurement("Mutex", samples: steady), measurement("x", samples: steady, memory: nil, threads: nil),
        ],
        failures: [.init(variant: "y", message: "gone")])
    ])
    let text = try original.json()
    #expect(try Report(json: Data(text.utf8)) == original)
    #expect(text.contains("\"schema\" : 3"))
    let older = text.replacing("\"schema\" : 3", with: "\"schema\" : 2")
    #expect(throws: SchemaError(found: 2)) { try Report(json: Data(older.utf8)) }
    #expect(text.contains("\"date\" : \"2025-06-15T15:06:40Z\""))
  }
}
