extension DecisionMatrix {
  /// Aligned columns for a terminal.
  var text: String {
    let table =
      [["", "closure", "stream", "async"]] + rows.map { row in [row.title] + row.findings.map(\.description) }
    let widths = (0..<4).map { column in table.map { $0[column].count }.max() ?? 0 }
    let lines = table.map { cells in
      var line = zip(cells, widths)
        .map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    return (lines + ["", Finding.Verdict.legend]).joined(separator: "\n")
  }

  /// A Markdown table, with a column for what each probe tries.
  var markdown: String {
    let rows = rows.map { row in
      "| \(([row.title, row.trial] + row.findings.map(\.description)).joined(separator: " | ")) |"
    }
    let header = ["| | what was tried | closure | stream | async |", "| --- | --- | --- | --- | --- |"]
    return (header + rows + ["", Finding.Verdict.legend]).joined(separator: "\n")
  }

  /// A short Markdown table: the rows in which the closure stage fails.
  var summary: String {
    let rows = rows.filter { $0.closure.verdict == .fails }.map { row in
      "| \(([row.title] + row.findings.map(\.description)).joined(separator: " | ")) |"
    }
    return (["| | closure | stream | async |", "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
  }
}
