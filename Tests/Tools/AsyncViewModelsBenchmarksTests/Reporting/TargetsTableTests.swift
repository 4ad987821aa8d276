import Foundation
import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct TargetsTableTests {
  private func report(_ targets: [TargetResult]) -> Report {
    var report = Report(
      date: Date(timeIntervalSince1970: 1_750_000_000),
      machine: Machine(system: "Linux", architecture: "x86-64", cores: 2, isDebugBuild: false), mode: "full",
      command: "swift run -c release Benchmarks --check", isInterrupted: false, groups: [])
    report.targets = targets
    return report
  }

  private let targets = [
    TargetResult(
      work: "send", promise: "≤ 1.4 × a lock", bound: .atMost(1.4), unit: "×", measured: 1.5,
      section: "Sending", isHeadline: true, contrast: Contrast(subject: 6, other: 4, unit: "ns")),
    TargetResult(
      work: "idle", promise: "≤ 256 bytes", bound: .atMost(256), unit: "bytes", measured: 200,
      section: "Memory"),
  ]

  @Test("a table shows each target and its result, marks a target that falls short, and names the machine")
  func tables() {
    let header = """
      | work | this package | compared with | result | target |
      | --- | ---: | ---: | ---: | ---: |

      """
    let sending = header + "| send | 6.00 ns | 4.00 ns | 1.50 × | ≤ 1.4 × a lock (falls short) |\n\n"
    let memory = header + "| idle |  |  | 200 bytes | ≤ 256 bytes |\n\n"
    let source = """
      Measured on 2 cores, x86-64, Linux, 2025-06-15, with `swift run -c release Benchmarks --check` (full run).
      """
    #expect(report(targets).targetsTable(headlinesOnly: true) == sending + source)
    #expect(
      report(targets).targetsTable(headlinesOnly: false)
        == "### Sending\n\n" + sending + "### Memory\n\n" + memory + source)
  }

  @Test(
    "the tables in the documentation and the README list the current targets",
    arguments: [
      ("README.md", MarkedSection.performanceSummary),
      ("Sources/AsyncViewModels/AsyncViewModels.docc/Performance.md", .performance),
    ])
  func pages(path: String, section: MarkedSection) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    let lines = try #require(section.contents(of: page)).split(separator: "\n").map(String.init)
    let header = [
      "| \(Report.targetsHeader.joined(separator: " | ")) |", "| --- | ---: | ---: | ---: | ---: |",
    ]
    let targets = Targets.all.filter { section == .performance || $0.isHeadline }
    var expected = section == .performance ? [] : header
    var title: String?
    for target in targets {
      if section == .performance, target.section != title {
        expected += ["### \(try #require(target.section))"] + header
        title = target.section
      }
      expected.append("| \(MarkdownTable.escaped(target.work)) |")
    }
    let table = lines.filter { $0.hasPrefix("|") || $0.hasPrefix("### ") }
    #expect(table.count == expected.count)
    for (line, start) in zip(table, expected) { #expect(line.hasPrefix(start)) }
    let rows = table.filter { !$0.hasPrefix("### ") && !header.contains($0) }
    for (row, target) in zip(rows, targets) {
      #expect(row.contains("| \(MarkdownTable.escaped(target.promise))"))
    }
    #expect(lines.last?.hasPrefix("Measured on ") == true)
    #expect(lines.last?.contains("with `swift run -c release Benchmarks") == true)
  }
}
