/// Builds HTML.
enum HTML {
  /// Escapes `text` for an element or an attribute.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }

  static func element(_ name: String, class classes: String = "", _ contents: String) -> String {
    let attribute = classes.isEmpty ? "" : " class=\"\(classes)\""
    return "<\(name)\(attribute)>\(contents)</\(name)>"
  }

  static func table(header: [String], rows: [[String]]) -> String {
    func row(_ cells: [String], _ name: String) -> String {
      "<tr>" + cells.map { element(name, escaped($0)) }.joined() + "</tr>"
    }
    return """
      <div class="scroll"><table><thead>\(row(header, "th"))</thead>
      <tbody>\(rows.map { row($0, "td") }.joined(separator: "\n"))</tbody></table></div>
      """
  }

  /// The id of a heading, for links: lowercase letters, digits and dashes.
  static func anchor(_ title: String) -> String {
    title.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
  }
}
