/// A text table. The first column is left-aligned, and the other columns are right-aligned.
struct TextTable {
  let header: [String]
  var rows: [[String]] = []

  /// The widths of the columns.
  var widths: [Int] {
    ([header] + rows).reduce(into: Array(repeating: 0, count: header.count)) { widths, row in
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
  }

  /// The header and the rows, one line each, indented by two spaces.
  ///
  /// - Parameter widths: The widths of the columns, if several tables share them; `nil` for the widths of this table.
  func lines(widths: [Int]? = nil) -> [String] {
    let widths = widths ?? self.widths
    return ([header] + rows).map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
        return column == 0 ? cell + padding : padding + cell
      }
      var line = "  " + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension [TextTable] {
  /// The widths of the columns in which the cells of all these tables fit.
  var sharedWidths: [Int] {
    map(\.widths).reduce(into: []) { widths, next in
      widths = widths.isEmpty ? next : zip(widths, next).map { Swift.max($0, $1) }
    }
  }
}
