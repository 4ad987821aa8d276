/// The elements of a chart. Colors come from the style sheet of the page, which follows light and dark mode.
struct SVG {
  let width: Double
  let height: Double
  /// The label for screen readers.
  let label: String
  private var elements: [String] = []

  init(width: Double, height: Double, label: String) {
    self.width = width
    self.height = height
    self.label = label
  }

  /// The chart as part of a page.
  var text: String {
    """
    <div class="scroll"><svg viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" \
    aria-label="\(HTML.escaped(label))">
    \(elements.joined(separator: "\n"))
    </svg></div>
    """
  }

  /// The chart as a file, with its title, lines that explain it, and the style of the page.
  func file(title: String, notes: [String]) -> String {
    let lines = notes.flatMap { Self.lines(of: $0, columns: 150) }
    let (margin, heading) = (20.0, 40 + 16 * Double(lines.count))
    var picture = SVG(width: width + 2 * margin, height: height + heading + margin, label: label)
    picture.rectangle(0, 0, picture.width, picture.height, "paper", radius: 12)
    picture.text(title, margin, 32, "title")
    for (index, line) in lines.enumerated() { picture.text(line, margin, 52 + 16 * Double(index), "tick") }
    let size = (width: Self.number(picture.width), height: Self.number(picture.height))
    // DocC shows a picture without a width and a height 300 pixels wide.
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size.width) \(size.height)" \
      width="\(size.width)" height="\(size.height)" role="img" aria-label="\(HTML.escaped(label))">
      <style>
      \(StyleSheet.charts)
      </style>
      \(picture.elements.joined(separator: "\n"))
      <g transform="translate(\(Self.number(margin)) \(Self.number(heading)))">
      \(elements.joined(separator: "\n"))
      </g>
      </svg>

      """
  }

  /// Breaks a text between words.
  private static func lines(of text: String, columns: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ classes: String) {
    elements.append(
      "<line x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\" x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\" class=\"\(classes)\"/>"
    )
  }

  /// - Parameter title: A tooltip.
  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ classes: String, radius: Double = 2,
    title: String = ""
  ) {
    elements.append(
      "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(max(width, 0.5)))\" height=\"\(Self.number(height))\" rx=\"\(Self.number(radius))\" class=\"\(classes)\">\(Self.title(title))</rect>"
    )
  }

  mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ classes: String, title: String = "") {
    elements.append(
      "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\" class=\"\(classes)\">\(Self.title(title))</circle>"
    )
  }

  /// Marks `value` at the height `y`: with a bar from zero, or with a dot on a logarithmic axis.
  ///
  /// A logarithmic axis has no zero. The length of a bar would depend on the arbitrary lower end of the axis.
  mutating func mark(_ value: Double, on axis: Axis, _ y: Double, _ classes: String, title: String) {
    if !axis.isLogarithmic {
      rectangle(axis.start, y - 7, axis.position(of: value) - axis.start, 14, classes, title: title)
    } else if value > 0 {
      circle(axis.position(of: value), y, 6, classes, title: title)
    }
  }

  mutating func path(_ points: [(x: Double, y: Double)], _ classes: String) {
    let commands = points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(Self.number(point.x)) \(Self.number(point.y))"
    }
    elements.append("<path d=\"\(commands.joined(separator: " "))\" class=\"\(classes)\"/>")
  }

  enum Anchor: String {
    case start, middle, end
  }

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ classes: String = "", anchor: Anchor = .start
  ) {
    elements.append(
      "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\" class=\"\(classes)\">\(HTML.escaped(text))</text>"
    )
  }

  private static func title(_ text: String) -> String {
    text.isEmpty ? "" : "<title>\(HTML.escaped(text))</title>"
  }

  private static func number(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
