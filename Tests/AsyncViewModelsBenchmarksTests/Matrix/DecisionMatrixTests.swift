import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import AsyncViewModelsTesting
import Foundation
import StorefrontTesting
import Testing

@testable import Benchmarks

/// Tests the decision matrix by running its probes.
@Suite(.timeLimit(.minutes(1)))
struct DecisionMatrixTests {
  private static let pages = ["README.md", "Sources/AsyncViewModels/AsyncViewModels.docc/DecisionMatrix.md"]
  private static let update =
    "swift run -c release Benchmarks matrix" + pages.map { " --update \($0)" }.joined()

  @Test("the documentation and the README show what the probes find, and the async stage works in every row")
  func pages() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let pages = try Self.pages.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
    let matrix = try await DecisionMatrix.probed()
    #expect(MarkedSection.matrixSummary.contents(of: pages[0]) == matrix.summary, "update: \(Self.update)")
    #expect(MarkedSection.matrix.contents(of: pages[1]) == matrix.markdown, "update: \(Self.update)")
    for row in matrix.rows { #expect(row.async.verdict == .works, "\(row.title): \(row.async.number)") }
    #expect(matrix.text.split(separator: "\n").count == matrix.rows.count + 2)
  }

  @Test("an error names a probe that hangs, and its stage")
  func hanging() async throws {
    let gate = Gate()
    let probe = Probe("waiting", "forever") { stage in
      if stage == .stream { await gate.wait() }
      return Finding(.works, "at once")
    }
    let patience = Duration.milliseconds(50)
    await #expect(throws: ProbeError.hangs(probe: "waiting", stage: .stream, after: patience)) {
      try await DecisionMatrix.probed([probe], patience: patience)
    }
    gate.open()
  }

  @Test("an error names a probe that fails, its stage and the reason")
  func failing() async throws {
    let probe = Probe("reading", "nothing") { _ in throw UsageError.unknownFlag("--x") }
    await #expect(
      throws: ProbeError.failed(probe: "reading", stage: .closure, reason: "unknown flag '--x'")
    ) {
      try await DecisionMatrix.probed([probe])
    }
  }
}
