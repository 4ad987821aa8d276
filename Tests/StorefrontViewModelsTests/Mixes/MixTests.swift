import AsyncViewModelsTesting
import Foundation
import StorefrontTesting
import Testing

/// Every stage works with both forms of its service and with every kind of consumer.
///
/// To write the table of the article, set the environment variable `ASYNC_VIEW_MODELS_WRITE_ARTICLES` and run these tests with
/// `.ci/apple/frameworks`, which has the publishers of Combine.
@Suite("Mixes of old and new", .timeLimit(.minutes(5)), .endsWaits)
struct MixTests {
  @Test(
    "each consumer of each stage receives the states of each feature, on both forms of the service",
    arguments: Mix.features)
  func mixes(feature: Feature) async throws {
    for mix in Mix.all(feature) { try await mix.check() }
  }

  @Test("the article has a row for each feature and stage, and a column for each form and consumer")
  func article() throws {
    let article = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/AsyncViewModels/AsyncViewModels.docc/EveryMix.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let parts = text.components(separatedBy: Self.marks)
    try #require(parts.count == 3)
    if ProcessInfo.processInfo.environment["ASYNC_VIEW_MODELS_WRITE_ARTICLES"] != nil {
      try [parts[0], "\n" + Self.table + "\n", parts[2]].joined(separator: Self.marks)
        .write(to: article, atomically: true, encoding: .utf8)
    } else {
      // A platform without Combine lacks the last column of each form.
      let rows = Self.table.split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
      let written = parts[1].split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
      #expect(rows.map(\.first) == written.map(\.first))
      for (row, cells) in zip(rows, written) {
        for cell in row { #expect(cells.contains(cell), "\(cell) is not in \(cells)") }
      }
    }
  }

  private static let marks = "<!-- mixes -->"

  /// The mixes that `mixes(feature:)` checks.
  private static var table: String {
    let forms = [ServiceForm.native, .crossed]
    let columns = forms.flatMap { form in Consumer.allCases.map { (form, $0) } }
    var lines = [
      "| feature, stage | "
        + columns.map { "\($0.0 == .native ? "own form" : "other form"), \($0.1.rawValue)" }
        .joined(separator: " | ") + " |",
      "| --- |" + String(repeating: " :---: |", count: columns.count),
    ]
    for feature in Mix.features {
      let mixes = Mix.all(feature)
      for stage in MigrationStage.allCases {
        let cells = columns.map { form, consumer in
          mixes.contains { $0.stage.stage == stage && $0.stage.form == form && $0.consumer == consumer }
            ? "✓" : "–"
        }
        lines.append("| \(feature), \(stage) | \(cells.joined(separator: " | ")) |")
      }
    }
    return lines.joined(separator: "\n")
  }
}
