import Foundation
import StorefrontTesting
import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct SummaryTests {
  private func report(
    _ groups: [GroupResult], isDebugBuild: Bool = false, isInterrupted: Bool = false
  ) -> Report {
    Report(
      date: Date(timeIntervalSince1970: 1_750_000_000),
      machine: Machine(
        system: "Debian GNU/Linux 12 (bookworm)", architecture: "x86-64", cores: 16,
        isDebugBuild: isDebugBuild,
        processor: "AMD EPYC 9754 128-Core Processor"),
      mode: "full", command: "Benchmarks", isInterrupted: isInterrupted, groups: groups)
  }

  private func measurement(_ variant: String, _ samples: [Double]) -> VariantResult {
    VariantResult(
      variant: variant, iterationsPerSample: 1, operationsPerSample: 1, time: Statistics(samples), cpu: 1,
      memory: nil, threads: nil)
  }

  private func feature(
    _ section: String, _ title: String, async time: Double, isHeadline: Bool? = nil
  ) -> GroupResult {
    var group = GroupResult(
      section: section, title: title, unit: "u", reference: "closure stage",
      measurements: [
        measurement("closure stage", [20, 20, 20, 20, 20]),
        measurement("async stage", [time, time, time, time, time]),
      ], failures: [])
    group.isHeadline = isHeadline
    return group
  }

  /// A report of all benchmarks and targets with unsteady results, in which targets fall short or benchmarks fail if asked.
  private func everything(fallingShort: Bool, failing: Bool, isDebugBuild: Bool = false) -> Report {
    let groups = BenchmarkSuite.groups(server: ServerProcess()).map { group in
      var result = GroupResult(group, trials: [])
      result.measurements = group.benchmarks.map { measurement($0.variant, [123_456, 999_400]) }
      if failing {
        result.failures = group.benchmarks.map {
          GroupResult.Failure(variant: $0.variant, message: String(repeating: "no\nserver ", count: 30))
        }
      }
      return result
    }
    var report = report(groups, isDebugBuild: isDebugBuild, isInterrupted: failing)
    report.targets = Targets.all.map { target in
      let result = target.result(in: report)
      return TargetResult(
        work: result.work, promise: result.promise, bound: fallingShort ? .atMost(-1) : .atLeast(0),
        unit: result.unit, measured: 123.4, headline: result.headline,
        // Larger than any ratio so far.
        contrast: result.contrast.map { figures in
          Contrast(subject: figures.subject, other: figures.subject * 12_345, unit: figures.unit)
        }, isUnsteady: true)
    }
    return report
  }

  private func expectFits(_ report: Report, lines limit: Int) throws -> [Substring] {
    let lines = try #require(report.summary()).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= limit, "\(lines.count) lines")
    for line in lines { #expect(line.count <= Report.screen.columns, "\(line)") }
    return lines
  }

  @Test("the summary of all benchmarks fits on a screen of 33 lines and 80 columns")
  func size() throws {
    let lines = try expectFits(everything(fallingShort: false, failing: false), lines: 33)
    #expect(!lines.contains { $0.hasSuffix("…") }, "no line is cut")
    #expect(lines.contains { $0.contains("TARGETS") && $0.contains("hold.") })
  }

  @Test("even if everything fails in an interrupted debug run, the summary fits on a screen")
  func worstSize() throws {
    var report = everything(fallingShort: true, failing: true, isDebugBuild: true)
    for index in report.targets.indices { report.targets[index].isUnsteady = false }
    let lines = try expectFits(report, lines: Report.screen.lines)
    let count = Targets.all.count
    #expect(lines.contains { $0.contains("0 of \(count) hold.") })
    #expect(lines.contains { $0.contains("\(count) missed; --check measures again:") })
    #expect(lines.contains { $0.contains("and \(count - 2) other targets") })
    #expect(lines.contains { $0.contains("INTERRUPTED") })
    #expect(lines.contains { $0.contains("FAILED Parallel") })
  }

  @Test("the summary has a row for each of the eight features, and for ten parts, whose names are not cut")
  func rows() throws {
    let groups = BenchmarkSuite.groups(server: ServerProcess())
    let stages = MigrationStage.allCases.map(\.variant)
    let features = groups.filter(\.isHeadline)
    let summary = try #require(everything(fallingShort: false, failing: false).summary())
    #expect(summary.contains("  A FEATURE'S STAGES, IN MEMORY "))
    let sections = Set(features.map(\.section))
    #expect(sections.count == 8)
    for section in sections {
      let first = try #require(features.first { $0.section == section })
      #expect(first.reference == stages[0] && first.benchmarks.map(\.variant) == stages)
      let title = first.title.replacing(", in memory", with: "").replacing(/, and see .*/, with: "")
      #expect(summary.matches(of: try Regex("\n  \(section): \(title) ")).count == 1, "\(section)")
    }
    let headlines = Targets.all.compactMap(\.headline)
    #expect(headlines.count == 10)
    for headline in headlines {
      #expect(
        summary.contains("\n  \(headline.work) ") && summary.contains(headline.floor), "\(headline.work)")
    }
  }

  @Test("the row of a feature is its first marked group; other groups have no row")
  func headlineGroup() throws {
    let summary = try #require(
      report([
        feature("Cart", "one", async: 10), feature("Cart", "two", async: 5, isHeadline: true),
        feature("Search", "three", async: 40, isHeadline: true),
        feature("Search", "four", async: 10, isHeadline: true), feature("Screens", "five", async: 10),
      ]).summary())
    #expect(summary.contains("  Cart: two "))
    #expect(summary.contains("  Search: three "))
    #expect(["one", "four", "five"].allSatisfy { !summary.contains($0) })
    let rows = summary.split(separator: "\n")
    let cart = try #require(rows.first { $0.contains("Cart") })
    #expect(
      cart.split(separator: " ").suffix(8).joined(separator: " ") == "20.0 ns – 5.00 ns 4.00× as fast")
    #expect(try #require(rows.first { $0.contains("Search") }).hasSuffix("2.00× as long"))
  }

  @Test("a target is shown beside its floor, and the targets that fall short are named")
  func targets() throws {
    var report = report([])
    report.targets = [
      TargetResult(
        work: "send", promise: "≤ 1.4 × a lock", bound: .atMost(1.4), unit: "×", measured: 1.5,
        headline: Headline(work: "send a value", floor: "lock"),
        contrast: Contrast(subject: 6, other: 4, unit: "ns")),
      TargetResult(
        work: "idle", promise: "≤ 256 bytes", bound: .atMost(256), unit: "bytes", measured: 200,
        headline: Headline(work: "an idle observer", floor: "at most 256 bytes")),
      TargetResult(
        work: "free", promise: "≤ 0.1 ×", bound: .atMost(0.1), unit: "×", measured: 0,
        headline: Headline(work: "a free part", floor: "lock"),
        contrast: Contrast(subject: 0, other: 4, unit: "ns")),
      TargetResult(work: "quiet", promise: "≤ 1", bound: .atMost(1), unit: "", measured: 1),
      TargetResult(work: "gone", promise: "≤ 1", bound: .atMost(1), unit: "", measured: nil),
    ]
    let rows = try #require(report.summary()).split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(rows.contains("send a value 6.00 ns 1.50× as long lock"))
    #expect(rows.contains("a free part 0.00 ns 0 × lock"))
    #expect(rows.contains("an idle observer 200 bytes at most 256 bytes"))
    #expect(rows.contains("TARGETS 3 of 4 hold."))
    #expect(rows.contains("1 missed; --check measures again:"))
    #expect(rows.contains("1.50 × for ≤ 1.4 × a lock: send"))
  }

  @Test(
    "a target that falls short is undecided if its result is unsteady or the machine was busy",
    arguments: [
      (true, [1.0, 1, 1], "unsteady"), (true, [0.5, 0.6, 1], "busy machine"),
      (false, [0.5, 0.6, 1], "busy machine"), (false, [0.5, 0.9, 1], nil),
    ] as [(Bool, [Double], String?)])
  func undecided(isUnsteady: Bool, shares: [Double], reason: String?) throws {
    var report = report([feature("Cart", "one", async: 10, isHeadline: true)])
    report.coreShares = shares
    report.targets = [
      TargetResult(
        work: "send", promise: "≤ 1.4 ×", bound: .atMost(1.4), unit: "×", measured: 1.5,
        isUnsteady: isUnsteady)
    ]
    let summary = try #require(report.summary())
    #expect(summary.contains("missed") == (reason == nil))
    if let reason { #expect(summary.contains("  TARGETS  0 of 1 hold, 1 undecided (\(reason)).\n")) }
    let isBusy = shares[1] < CoreShare.quiet
    let note = "BUSY: this process gets 60 % of the cores. Measure again on a quiet machine."
    #expect(summary.contains("\n  \(note)\n") == isBusy)
    #expect(report.table().contains(note) == isBusy)
  }

  @Test("an unsteady number is marked as approximate")
  func unsteady() throws {
    var cart = feature("Cart", "one", async: 10, isHeadline: true)
    cart.measurements[1] = measurement("async stage", [5, 10, 20])
    let summary = try #require(report([cart]).summary())
    #expect(summary.contains("  10.0 ns  ~2.00× as fast"))
    #expect(summary.contains("~  about: the samples are few or lie far apart."))
  }

  @Test("a run without features and headlines has no summary, so that it prints its tables")
  func noSummary() {
    var report = report([
      GroupResult(
        section: "S", title: "t", unit: "u", reference: "a", measurements: [measurement("a", [1])],
        failures: [])
    ])
    #expect(report.summary() == nil)
    report.targets = [
      TargetResult(work: "w", promise: "≤ 1", bound: .atMost(1), unit: "", measured: 1)
    ]
    #expect(report.summary() == nil)
  }

  @Test(
    "a run prints its summary, unless the user asks for all results, a selection or a check",
    arguments: [
      ([], true), (["--quick"], true), (["--html", "page.html"], true), (["--baseline", "b.json"], true),
      (["--all"], false), (["--filter", "Cart"], false), (["--check"], false),
    ] as [([String], Bool)])
  func options(arguments: [String], isSummary: Bool) throws {
    #expect(try Options(arguments).isSummary == isSummary)
  }
}
