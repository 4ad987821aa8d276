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
      section: "Sending", contrast: Contrast(subject: 6, other: 4, unit: "ns")),
    TargetResult(
      work: "idle", promise: "≤ 256 bytes", bound: .atMost(256), unit: "bytes", measured: 200,
      section: "Memory"),
  ]

  @Test("each section has a table of its targets and results, which marks a target that falls short")
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
    #expect(
      report(targets).targetsTables == "### Sending\n\n" + sending + "### Memory\n\n" + memory + source)
  }

  @Test("the tables in the documentation list the current targets")
  func page() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = "Sources/AsyncViewModels/AsyncViewModels.docc/Performance.md"
    let page = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    let lines = try #require(MarkedSection.performance.contents(of: page))
      .split(separator: "\n").map(String.init)
    let header = [
      "| \(Report.targetsHeader.joined(separator: " | ")) |", "| --- | ---: | ---: | ---: | ---: |",
    ]
    var expected: [String] = []
    var title: String?
    for target in Targets.all {
      if target.section != title {
        expected += ["### \(try #require(target.section))"] + header
        title = target.section
      }
      expected.append("| \(MarkdownTable.escaped(target.work)) |")
    }
    let table = lines.filter { $0.hasPrefix("|") || $0.hasPrefix("### ") }
    #expect(table.count == expected.count)
    for (line, start) in zip(table, expected) { #expect(line.hasPrefix(start)) }
    let rows = table.filter { !$0.hasPrefix("### ") && !header.contains($0) }
    for (row, target) in zip(rows, Targets.all) {
      #expect(row.contains("| \(MarkdownTable.escaped(target.promise))"))
    }
    #expect(lines.last?.hasPrefix("Measured on ") == true)
    #expect(lines.last?.contains("with `swift run -c release Benchmarks") == true)
  }
}
