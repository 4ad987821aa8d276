import AsyncViewModels
import StorefrontTesting

extension DecisionMatrix {
  /// A table for a page, with what was tried.
  var markdown: String {
    let rows = rows.map { row in
      let cells = MigrationStage.allCases.map { "\(row[$0].verdict.symbol) \(row[$0].number)" }
      return "| \(([row.title, row.trial] + cells).joined(separator: " | ")) |"
    }
    let header = ["| | what was tried | closure | stream | async |", "| --- | --- | --- | --- | --- |"]
    return (header + rows + ["", Verdict.legend]).joined(separator: "\n")
  }
}
