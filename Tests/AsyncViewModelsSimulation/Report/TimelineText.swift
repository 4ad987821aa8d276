import Foundation

/// Formats a timeline as text, with one line for each step and its events below.
struct TimelineText {
  private let name: (Int) -> String
  private static let maximumLines = 60

  init(name: @escaping (Int) -> String) { self.name = name }

  func lines(of timeline: Timeline) -> [String] {
    let width = timeline.entries.map { label($0).count }.max() ?? 0
    let lines = timeline.entries.map {
      label($0).padding(toLength: width, withPad: " ", startingAt: 0) + "  " + text(of: $0)
    }
    guard lines.count > Self.maximumLines else { return lines }
    return ["… \(lines.count - Self.maximumLines) lines omitted"] + lines.suffix(Self.maximumLines)
  }

  private func label(_ entry: Timeline.Entry) -> String {
    switch entry.event {
    case .ran: "\(entry.step)"
    default: ""
    }
  }

  private func text(of entry: Timeline.Entry) -> String {
    switch entry.event {
    case .created(let task): "· \(name(task)) is ready to start"
    case .ran(let task, let others):
      name(task) + " runs" + (others.isEmpty ? "" : "   (also ready: \(names(others)))")
    case .chose(let index, let count, let task): "· \(name(task)) chooses \(index) of 0..<\(count)"
    case .said(let text, let task): "· \(name(task)): \(text)"
    case .timeMoved: "— time advances to \(entry.time) —"
    case .repeated(let steps, let times): Self.repetition(of: steps, times: times, until: entry.step)
    case .failed(let reason): "✗ \(reason)"
    }
  }

  static func repetition(of steps: ClosedRange<Int>, times: Int, until end: Int) -> String {
    let steps =
      steps.count == 1
      ? "step \(steps.lowerBound) repeats" : "steps \(steps.lowerBound) to \(steps.upperBound) repeat"
    return "— \(steps) \(times) times, until step \(end) —"
  }

  private func names(_ tasks: [Int]) -> String { tasks.map(name).joined(separator: ", ") }
}
