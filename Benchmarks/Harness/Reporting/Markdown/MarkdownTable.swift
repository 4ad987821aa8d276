/// A Markdown table. The first column is left-aligned, and the other columns are right-aligned.
struct MarkdownTable {
  let header: [String]
  var rows: [[String]] = []

  var text: String {
    let rule = header.indices.map { $0 == 0 ? "---" : "---:" }
    return ([header.map(Self.escaped), rule] + rows.map { $0.map(Self.escaped) })
      .map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  /// Escapes the characters that would end a cell or begin a tag.
  static func escaped(_ cell: String) -> String {
    cell.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
      .replacing("\n", with: " ")
  }
}
