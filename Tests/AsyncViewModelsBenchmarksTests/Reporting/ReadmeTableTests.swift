import Foundation
import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import AsyncViewModelsBenchmarks

@Suite(.timeLimit(.minutes(1)))
struct ReadmeTableTests {
  private static let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "README.md")

  private func report(_ targets: [TargetResult]) -> Report {
    var report = Report(
      date: Date(timeIntervalSince1970: 1_750_000_000),
      machine: Machine(system: "Linux", architecture: "x86-64", cores: 2, isDebugBuild: false), mode: "full",
      command: "swift run -c release Benchmarks --check", isInterrupted: false, groups: [])
    report.targets = targets
    return report
  }

  @Test(
    "the table has the headlines with their numbers, marks one that falls short, and names its source")
  func section() {
    let targets = [
      TargetResult(
        work: "send", promise: "≤ 1.4 × a lock", bound: .atMost(1.4), unit: "×", measured: 1.5,
        isHeadline: true, subjectTime: 6, yardstickTime: 4),
      TargetResult(
        work: "idle", promise: "≤ 256 bytes", bound: .atMost(256), unit: "bytes", measured: 200,
        isHeadline: true),
      TargetResult(work: "other", promise: "≤ 1", bound: .atMost(1), unit: "", measured: 1),
    ]
    #expect(
      report(targets).readmeSection() == """
        | work | this package | beside it | measured | promised |
        | --- | ---: | ---: | ---: | ---: |
        | send | 6.00 ns | 4.00 ns | 1.50 × | ≤ 1.4 × a lock (falls short) |
        | idle |  |  | 200 bytes | ≤ 256 bytes |

        Measured on 2 cores, x86-64, Linux, 2025-06-15, with `swift run -c release Benchmarks --check` (full run).
        """)
  }

  @Test("the generator wrote the README's table, for the current headlines")
  func readme() throws {
    let page = try String(contentsOf: Self.readme, encoding: .utf8)
    let section = try #require(MarkedSection.performance.contents(of: page))
    let lines = section.split(separator: "\n").map(String.init)
    let table = lines.filter { $0.hasPrefix("|") }
    let headlines = Targets.all.filter(\.isHeadline)
    #expect(table.first == "| \(Report.readmeHeader.joined(separator: " | ")) |")
    #expect(table.count == headlines.count + 2)
    for (row, target) in zip(table.dropFirst(2), headlines) {
      #expect(row.hasPrefix("| \(MarkdownTable.escaped(target.work)) |"))
      #expect(row.contains("| \(MarkdownTable.escaped(target.promise))"))
    }
    #expect(lines.last?.hasPrefix("Measured on ") == true)
    #expect(lines.last?.contains("with `swift run -c release Benchmarks") == true)
  }
}
