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
  private static let pages = ["README.md", "Sources/AsyncViewModels/AsyncViewModels.docc/DecisionMatrix.md"]
  private static let update =
    "swift run -c release Benchmarks matrix" + pages.map { " --update \($0)" }.joined()

  // On older Apple systems, the probe of `Task.immediate` starts nothing.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("the documentation and the README show what the probes find")
  func pages() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let pages = try Self.pages.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
    // On a busy machine, a probe waits for the other tests.
    let matrix = try await DecisionMatrix.probed(patience: .seconds(240))
    #expect(MarkedSection.matrixSummary.contents(of: pages[0]) == matrix.summary, "update: \(Self.update)")
    #expect(MarkedSection.matrix.contents(of: pages[1]) == matrix.markdown, "update: \(Self.update)")
  }

  @Test("the README shows only the rows in which one stage reaches the goal and another stage fails")
  func summary() async throws {
    let probes = [
      probe("all", [2, 2, 2]), probe("closure", [2, 1, 0]), probe("async", [0, 0, 2]),
      probe("partly", [1, 2, 2]),
    ]
    let matrix = try await DecisionMatrix.probed(probes)
    #expect(
      matrix.summary == """
        | | wanted | closure | stream | async |
        | --- | --- | --- | --- | --- |
        | closure | 2 of 2 done | ✓ 2 of 2 | ~ 1 of 2 | ✗ 0 of 2 |
        | async | 2 of 2 done | ✗ 0 of 2 | ✗ 0 of 2 | ✓ 2 of 2 |
        """)
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
