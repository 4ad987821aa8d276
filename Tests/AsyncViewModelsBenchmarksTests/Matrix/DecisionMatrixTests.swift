import Foundation
import StorefrontLoopbackServer
import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import AsyncViewModelsBenchmarks
@testable import AsyncViewModelsTesting

/// The decision matrix, by running its probes.
@Suite(.timeLimit(.minutes(1)))
struct DecisionMatrixTests {
  private static let update = "swift run -c release Benchmarks matrix --update README.md"

  @Test("the README shows what the probes find, and the async stage works in every row")
  func readme() async throws {
    let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")
    let shown = MarkedSection.matrix.contents(of: try String(contentsOf: readme, encoding: .utf8))
    let matrix = try await DecisionMatrix.probed()
    #expect(shown == matrix.markdown, "write the README's matrix anew: \(Self.update)")
    for row in matrix.rows { #expect(row.async.verdict == .works, "\(row.title): \(row.async.number)") }
    #expect(matrix.text.split(separator: "\n").count == matrix.rows.count + 2)
  }

  @Test("a probe that hangs is named, with its stage")
  func hanging() async throws {
    let gate = Gate()
    let probe = Probe("waiting", "for ever") { stage in
      if stage == .stream { await gate.wait() }
      return Finding(.works, "at once")
    }
    let patience = Duration.milliseconds(50)
    await #expect(throws: ProbeError.hangs(probe: "waiting", stage: .stream, after: patience)) {
      try await DecisionMatrix.probed([probe], patience: patience)
    }
    gate.open()
  }

  @Test("a probe that fails is named, with its stage and the reason")
  func failing() async throws {
    let probe = Probe("reading", "nothing") { _ in throw UsageError.unknownFlag("--x") }
    await #expect(
      throws: ProbeError.failed(probe: "reading", stage: .closure, reason: "unknown flag '--x'")
    ) {
      try await DecisionMatrix.probed([probe])
    }
  }
}
