import AsyncViewModelsBenchmarkHarness
import Foundation
import Testing

@testable import Peers

/// Tests the matrix of Combine by running its probes.
@Suite(.timeLimit(.minutes(5)))
struct CombineMatrixTests {
  @Test("the documentation shows what the probes find")
  func page() async throws {
    let page = "Sources/AsyncViewModels/AsyncViewModels.docc/DecisionMatrix.md"
    let peers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: peers.appending(path: "Repository/\(page)"), encoding: .utf8)
    // On a busy machine, a probe waits for the other tests.
    let tables = try await CombineMatrix.markdown(patience: .seconds(240))
    #expect(
      MarkedSection.combine.contents(of: text) == tables,
      "update: swift run -c release --package-path Benchmarks/Peers Peers matrix --update \(page)")
  }
}
