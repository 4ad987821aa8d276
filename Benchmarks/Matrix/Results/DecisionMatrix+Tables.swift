extension DecisionMatrix {
  /// Aligned columns for a terminal.
  var text: String {
    let table =
      [["", "wanted", "closure", "stream", "async"]]
      + rows.map { row in [row.title, row.wanted] + row.cells.map(\.description) }
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    let lines = table.map { cells in
      var line = zip(cells, widths)
        .map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    return (lines + ["", Mark.legend]).joined(separator: "\n")
  }

  /// A Markdown table for each subject, with a column for what each probe tries.
  var markdown: String {
    let tables = Probe.Subject.allCases.map { subject in
      "### \(subject.heading)\n\n"
        + Self.table(
          ["", "what was tried", "wanted"],
          rows(of: subject).map { row in ([row.title, row.trial, row.wanted], row.cells) })
    }
    return (tables + [Mark.legend]).joined(separator: "\n\n")
  }

  private static func table(_ header: [String], _ rows: [([String], [Cell])]) -> String {
    let lines =
      [header + ["closure", "stream", "async"], Array(repeating: "---", count: header.count + 3)]
      + rows.map { texts, cells in texts + cells.map(\.description) }
    return lines.map { cells in "| \(cells.joined(separator: " | ")) |" }.joined(separator: "\n")
      .replacing("|  |", with: "| |")
  }
}
