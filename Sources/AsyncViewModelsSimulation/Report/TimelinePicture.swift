/// Draws a timeline as an SVG image, with a column for each task, a box for each step, and time
/// from top to bottom.
struct TimelinePicture {
  let name: (Int) -> String

  private static let lane = 130
  private static let row = 24

  func svg(of timeline: Timeline) -> String {
    var lanes: [Int] = []
    var rows: [String] = []
    var y = 60
    for entry in timeline.entries {
      switch entry.event {
      case .ran(let task, _, _):
        rows.append(
          box(
            at: column(of: task, in: &lanes), y, text: "\(entry.step)", color: "#4c78a8",
            tip: entry.code?.detail ?? ""))
      case .said(let text, let task, _):
        rows.append(label(at: column(of: task, in: &lanes) + 6, y, text: text))
      case .timeMoved:
        rows.append(label(at: 4, y, text: "— \(entry.time) —"))
      case .failed(let reason):
        rows.append(label(at: 4, y, text: "✗ \(reason)", color: "#c0392b"))
      case .repeated(let steps, let times):
        let text = TimelineText.repetition(of: steps, times: times, until: entry.step)
        rows.append(label(at: 4, y, text: text))
      case .created, .chose: continue
      }
      y += Self.row
    }
    let width = max(lanes.count, 3) * Self.lane
    let heads = lanes.enumerated().map { label(at: $0 * Self.lane + 6, 36, text: name($1)) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(y)" font-family="monospace" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      \((heads + rows).joined(separator: "\n"))
      </svg>
      """
  }

  private func column(of task: Int, in lanes: inout [Int]) -> Int {
    if let index = lanes.firstIndex(of: task) { return index * Self.lane }
    lanes.append(task)
    return (lanes.count - 1) * Self.lane
  }

  private func box(at x: Int, _ y: Int, text: String, color: String, tip: String) -> String {
    """
    <rect x="\(x + 4)" y="\(y - 14)" width="\(Self.lane - 12)" height="18" rx="3" fill="\(color)">\
    <title>\(escaped(tip))</title></rect>\
    <text x="\(x + 10)" y="\(y)" fill="white">\(text)</text>
    """
  }

  private func label(at x: Int, _ y: Int, text: String, color: String = "#333333") -> String {
    #"<text x="\#(x)" y="\#(y)" fill="\#(color)">\#(escaped(text))</text>"#
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
