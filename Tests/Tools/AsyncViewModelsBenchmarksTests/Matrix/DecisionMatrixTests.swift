import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import AsyncViewModelsTesting
import Foundation
import StorefrontTesting
import Testing

@testable import Benchmarks

/// Tests the decision matrix by running its probes.
@Suite(.timeLimit(.minutes(5)))
struct DecisionMatrixTests {
  private static let page = "Sources/AsyncViewModels/AsyncViewModels.docc/DecisionMatrix.md"

  // On older Apple systems, the probe of `Task.immediate` starts nothing.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("the documentation shows what the probes find")
  func page() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: Self.page), encoding: .utf8)
    // On a busy machine, a probe waits for the other tests.
    let matrix = try await DecisionMatrix.probed(patience: .seconds(240))
    let update = "swift run -c release Benchmarks matrix --update \(Self.page)"
    #expect(MarkedSection.matrix.contents(of: page) == matrix.markdown, "update: \(update)")
  }

  @Test("a row shows the number and the mark of each stage, and the text for a terminal has all rows")
  func rows() async throws {
    let probes = [
      probe("all", [2, 2, 2]), probe("closure", [2, 1, 0]), probe("async", [0, 0, 2]),
      probe("partly", [1, 2, 2]),
    ]
    let matrix = try await DecisionMatrix.probed(probes)
    let table = """
      | | what was tried | wanted | closure | stream | async |
      | --- | --- | --- | --- | --- | --- |
      | all | tried | 2 of 2 done | ✓ 2 of 2 | ✓ 2 of 2 | ✓ 2 of 2 |
      | closure | tried | 2 of 2 done | ✓ 2 of 2 | ~ 1 of 2 | ✗ 0 of 2 |
      | async | tried | 2 of 2 done | ✗ 0 of 2 | ✗ 0 of 2 | ✓ 2 of 2 |
      | partly | tried | 2 of 2 done | ~ 1 of 2 | ✓ 2 of 2 | ✓ 2 of 2 |
      """
    #expect(matrix.markdown.contains(table))
    #expect(matrix.text.split(separator: "\n").count == matrix.rows.count + 2)
  }

  @Test("a variant is shown next to its stage, and each subject has its own table")
  func variants() async throws {
    let measured = probe("measured", [0, 1, 2]).variant(of: .closure, "bridged") { [2] }
    let matrix = try await DecisionMatrix.probed([measured])
    #expect(
      matrix.markdown.contains("| measured | tried | 2 of 2 done | ✗ 0 of 2; bridged: ✓ 2 of 2 | ~ 1 of 2 |"))
    for subject in Probe.Subject.allCases { #expect(matrix.markdown.contains("### \(subject.heading)\n")) }
  }

  private func probe(_ title: String, _ numbers: [Int]) -> Probe {
    Probe(title, "tried", wanted: .exactly(2, of: 2, "done")) { stage in
      [numbers[try #require(MigrationStage.allCases.firstIndex(of: stage))]]
    }
  }

  @Test("an error names a probe that hangs, and its stage")
  func hanging() async throws {
    let (hangs, gate, clock) = (Gate(), Gate(), VirtualClock())
    let probe = Probe("waiting", "forever", wanted: .exactly(1, of: 1, "at once")) { stage in
      if stage == .stream {
        hangs.open()
        await gate.wait()
      }
      return [1]
    }
    let patience = Duration.seconds(50)
    let probing = Task { try await DecisionMatrix.probed([probe], patience: patience, clock: clock) }
    await hangs.wait()
    await clock.waitForSleepers(1)
    clock.advance(by: patience)
    await #expect(throws: ProbeError.hangs(probe: "waiting", stage: .stream, after: patience)) {
      try await probing.value
    }
    gate.open()
  }

  @Test("an error names a probe that fails, its stage and the reason")
  func failing() async throws {
    let probe = Probe("reading", "nothing", wanted: .exactly(1, of: 1, "read")) { _ in
      throw UsageError.unknownFlag("--x")
    }
    await #expect(
      throws: ProbeError.failed(probe: "reading", stage: .closure, reason: "unknown flag '--x'")
    ) {
      try await DecisionMatrix.probed([probe])
    }
  }
}
