import AsyncViewModels
import StorefrontTesting

extension DecisionMatrix {
  /// Aligned columns for a terminal.
  var text: String {
    let table =
      [["", "closure", "stream", "async"]]
      + rows.map { row in
        [row.title] + MigrationStage.allCases.map { "\(row[$0].verdict.symbol) \(row[$0].number)" }
      }
    let widths = (0..<4).map { column in table.map { $0[column].count }.max() ?? 0 }
    let lines = table.map { cells in
      var line = zip(cells, widths)
        .map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    return (lines + ["", Verdict.legend]).joined(separator: "\n")
  }
}
