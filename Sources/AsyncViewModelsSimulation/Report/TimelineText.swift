/// Formats a timeline as text, with one line for the steps in which a task ran. A mark shows the
/// choices that differ from the default order.
///
/// Unless it is verbose, the text shows the steps of the app: steps that continue in code of
/// libraries are one line, default choices of values have none, and a long text leaves out lines.
struct TimelineText {
  /// The width of a report, with its indentation.
  static let width = 100
  static let indentation = "  "
  private static let maximumLines = 40
  private static let maximumTaskWidth = 28

  let name: (Int) -> String
  let isVerbose: Bool

  func lines(of timeline: Timeline) -> [String] {
    let rows = isVerbose ? rows(of: timeline) : Self.folded(rows(of: timeline))
    let taskNames = rows.map { $0.tasks.isEmpty ? "" : label(of: $0.tasks) }
    let stepWidth = rows.map(\.steps.count).max() ?? 0
    let taskWidth = taskNames.map(\.count).filter { $0 <= Self.maximumTaskWidth }.max() ?? 0
    let lines = zip(rows, taskNames).map { row, task in
      let head = (row.isTurn ? "▸ " : "  ") + row.steps.padded(to: stepWidth) + "  "
      let margin = head + (task.isEmpty ? "" : task.padded(to: taskWidth) + "  ")
      let line = margin + text(of: row)
      guard !isVerbose else { return (isTurn: row.isTurn, text: [line]) }
      let text = line.wrapped(to: Self.width - Self.indentation.count, at: margin.count)
      return (isTurn: row.isTurn, text: row.isFailure ? Self.firstLine(of: text) : text)
    }
    guard !isVerbose, lines.count > Self.maximumLines else { return lines.flatMap(\.text) }
    return Self.shortened(lines)
  }

  /// The beginning of a text that the report shows in full above the timeline.
  private static func firstLine(of text: [String]) -> [String] {
    text.count == 1 ? text : [text[0].prefix(width - indentation.count - 2) + " …"]
  }

  /// The last lines, and the turns before them.
  private static func shortened(_ lines: [(isTurn: Bool, text: [String])]) -> [String] {
    let turns = lines.indices.dropLast(maximumLines / 2).filter { lines[$0].isTurn }.suffix(maximumLines / 2)
    let shown = turns + lines.indices.suffix(maximumLines - turns.count).filter { $0 > turns.last ?? -1 }
    var result: [String] = []
    var next = 0
    for index in shown {
      if index > next { result.append("… \(index - next) lines left out") }
      result += lines[index].text
      next = index + 1
    }
    return result
  }

  /// The steps of one task in a row, or another event.
  private struct Row {
    let entry: Timeline.Entry
    /// The numbers of the steps.
    var numbers: ClosedRange<Int>
    /// The tasks that ran. For another event, the task that caused it.
    var tasks: [Int]
    var codes: [StepCode?] = []
    /// The tasks that the steps created.
    var created: [Int] = []
    /// Whether code of libraries has created the task.
    var isInner = false

    init(_ entry: Timeline.Entry) {
      self.entry = entry
      numbers = entry.step...entry.step
      switch entry.event {
      case .ran(let task, _, _), .chose(_, _, let task), .said(_, let task, _): tasks = [task]
      case .created, .timeMoved, .repeated, .failed: tasks = []
      }
      if entry.isStep { codes = [entry.code] }
    }

    var isTurn: Bool { entry.isTurn }

    var isFailure: Bool { if case .failed = entry.event { true } else { false } }

    /// Whether all steps continue in code of libraries.
    var isLibrary: Bool { entry.isStep && codes.allSatisfy { $0?.isLibrary == true } }

    var canBeFolded: Bool { isLibrary && !isTurn }

    var steps: String {
      guard entry.isStep else { return "" }
      return numbers.count == 1 ? "\(numbers.lowerBound)" : "\(numbers.lowerBound)–\(numbers.upperBound)"
    }

    func isContinued(by entry: Timeline.Entry) -> Bool {
      self.entry.isStep && entry.isStep && self.entry.task == entry.task && !entry.isTurn
    }

    mutating func add(_ other: Row) {
      numbers = numbers.lowerBound...other.numbers.upperBound
      codes += other.codes
      tasks += other.tasks.filter { !tasks.contains($0) }
    }
  }

  private func rows(of timeline: Timeline) -> [Row] {
    var rows: [Row] = []
    for entry in timeline.entries {
      if !isVerbose, case .created(let task) = entry.event {
        if let index = rows.lastIndex(where: \.entry.isStep) { rows[index].created.append(task) }
      } else if !isVerbose, case .chose(0, _, _) = entry.event {
        continue
      } else if rows.last?.isContinued(by: entry) == true {
        rows[rows.count - 1].add(Row(entry))
      } else {
        rows.append(Row(entry))
      }
    }
    let inner = Set(rows.filter(\.isLibrary).flatMap(\.created))
    for index in rows.indices { rows[index].isInner = rows[index].tasks.contains(where: inner.contains) }
    return rows
  }

  /// The rows, with one row for library steps in a row, also of several tasks. If the time advances
  /// several times meanwhile, the rows show only the last time.
  private static func folded(_ rows: [Row]) -> [Row] {
    var result: [Row] = []
    func addLibrary(_ row: Row) {
      if result.last?.canBeFolded == true {
        result[result.count - 1].add(row)
      } else {
        result.append(row)
      }
    }
    for row in rows {
      if row.canBeFolded {
        addLibrary(row)
      } else if case .timeMoved(isTurn: false) = row.entry.event {
        let library = result.last?.canBeFolded == true ? result.removeLast() : nil
        if case .timeMoved(isTurn: false) = result.last?.entry.event { result.removeLast() }
        if let library { addLibrary(library) }
        result.append(row)
      } else {
        result.append(row)
      }
    }
    return result
  }

  private func label(of tasks: [Int]) -> String { tasks.count == 1 ? name(tasks[0]) : "\(tasks.count) tasks" }

  private func text(of row: Row) -> String {
    switch row.entry.event {
    case .created(let task): "· \(name(task)) is ready to start"
    case .ran(_, let others, let preferred):
      (isVerbose ? details(of: row) : functions(of: row))
        + (preferred.map { ", instead of \(name($0))" } ?? "")
        + (isVerbose && preferred == nil && !others.isEmpty ? "   (also ready: \(names(others)))" : "")
        + (row.created.isEmpty || row.isLibrary ? "" : ", starts \(names(row.created))")
    case .chose(let index, let count, _): "chooses \(index) of 0..<\(count)"
    case .said(let text, _, _): text
    case .timeMoved(let isTurn):
      "— time advances\(isTurn ? " over several deadlines" : "") to \(row.entry.time) —"
    case .repeated(let steps, let times): Self.repetition(of: steps, times: times, until: row.entry.step)
    case .failed(.expectation(let message, _)) where !isVerbose: "✗ \(message)"
    case .failed(let reason): "✗ \(reason)"
    }
  }

  /// The functions of the app that the steps run, each once, without the types around their types.
  /// For code of libraries, the function that has started the task, if the app has called it.
  private func functions(of row: Row) -> String {
    let codes = row.codes.compactMap(\.self)
    if row.isLibrary {
      if row.tasks.count > 1 { return "run in library code" }
      if row.isInner { return "runs in library code" }
      let functions = Set(codes.compactMap(\.library))
      let name = functions.count == 1 ? functions.first.map { " (\(Self.pathName($0)))" } : nil
      return "runs in library code" + (name ?? "")
    }
    var names: [String] = []
    for name in codes.flatMap(\.app).map(Self.shortName) where !names.contains(name) { names.append(name) }
    return names.isEmpty ? "runs" : "runs in " + names.joined(separator: ", then ")
  }

  /// The type and the name of a function: `a closure of SearchModel.search` for
  /// `a closure of App.Screens.SearchModel.search`.
  private static func shortName(_ name: String) -> String {
    let words = name.prefix(upTo: name.lastIndex(of: " ").map(name.index(after:)) ?? name.startIndex)
    return words + pathName(name)
  }

  /// `SearchModel.search` for `a closure of App.Screens.SearchModel.search`.
  private static func pathName(_ name: String) -> String {
    (name.split(separator: " ").last ?? "").split(separator: ".").suffix(2).joined(separator: ".")
  }

  /// The innermost functions that the steps run, in their order.
  private func details(of row: Row) -> String {
    var names: [String] = []
    for name in row.codes.compactMap({ $0?.detail }) where !name.isEmpty && name != names.last {
      names.append(name)
    }
    return names.isEmpty ? "runs" : "runs in " + names.joined(separator: ", then ")
  }

  static func repetition(of steps: ClosedRange<Int>, times: Int, until end: Int) -> String {
    let steps =
      steps.count == 1
      ? "step \(steps.lowerBound) repeats" : "steps \(steps.lowerBound) to \(steps.upperBound) repeat"
    return "— \(steps) \(times) times, until step \(end) —"
  }

  private func names(_ tasks: [Int]) -> String { tasks.map(name).joined(separator: ", ") }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The lines of this text. All but the first begin with `margin` spaces. A word that is wider
  /// than a line has its own line.
  func wrapped(to width: Int = TimelineText.width, at margin: Int = 0) -> [String] {
    let indentation = String(repeating: " ", count: margin)
    var lines: [String] = []
    for part in split(separator: "\n", omittingEmptySubsequences: false) {
      var line = lines.isEmpty ? part : indentation + part
      while line.count > width {
        let text = line.dropFirst(margin)
        let last = line.prefix(width + 1).lastIndex(of: " ").flatMap { $0 > text.startIndex ? $0 : nil }
        guard let end = last ?? text.firstIndex(of: " ") else { break }
        lines.append(String(line[..<end]))
        line = indentation + line[end...].drop { $0 == " " }
      }
      lines.append(String(line))
    }
    return lines
  }
}
