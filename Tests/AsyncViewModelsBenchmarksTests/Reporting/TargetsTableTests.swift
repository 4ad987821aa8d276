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
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    let lines = try #require(section.contents(of: page)).split(separator: "\n").map(String.init)
    let headings = lines.filter { $0.hasPrefix("### ") }
    let isHeader = { (line: String) in line == "| \(Report.targetsHeader.joined(separator: " | ")) |" }
    #expect(lines.count(where: isHeader) == (section == .performance ? headings.count : 1))
    let table = lines.filter { $0.hasPrefix("|") && !$0.hasPrefix("| --- |") && !isHeader($0) }
    let targets = Targets.all.filter { section == .performance || $0.isHeadline }
    if section == .performance {
      let sections = targets.compactMap(\.section).reduce(into: [String]()) { sections, title in
        if sections.last != title { sections.append(title) }
      }
      #expect(headings == sections.map { "### \($0)" })
    }
    #expect(table.count == targets.count)
    for (row, target) in zip(table, targets) {
      #expect(row.hasPrefix("| \(MarkdownTable.escaped(target.work)) |"))
      #expect(row.contains("| \(MarkdownTable.escaped(target.promise))"))
    }
    #expect(lines.last?.hasPrefix("Measured on ") == true)
    #expect(lines.last?.contains("with `swift run -c release Benchmarks") == true)
  }
}
