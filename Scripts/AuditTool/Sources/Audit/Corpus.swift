import Foundation

/// Cases with one hazard each, and look-alikes without a hazard.
///
/// A file of the corpus is named after a kind, and a second file of the kind `kind+subject.swift`. A
/// line `//// hazard: title` or `//// harmless: title` begins a case. `// ← here` marks a line of the
/// hazard.
public struct Corpus {
  struct Case {
    let kind: String
    let title: String
    let isHazard: Bool
    let file: SourceFile
    let marks: Set<Int>
    let line: Int
  }

  private let cases: [Case]

  public init(_ paths: [String]) throws {
    var cases: [Case] = []
    for path in Analysis.swiftFiles(in: paths).files {
      let kind = Self.kind(of: URL(fileURLWithPath: path).lastPathComponent)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      var head: (isHazard: Bool, title: String, line: Int)?
      var lines: [Substring] = []
      func add() {
        guard let head else { return }
        let marks = Set(lines.indices.filter { lines[$0].contains("← here") }.map { $0 + 1 })
        let file = SourceFile(path: path, text: lines.joined(separator: "\n") + "\n")
        cases.append(
          Case(
            kind: kind, title: head.title, isHazard: head.isHazard, file: file, marks: marks, line: head.line)
        )
      }
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if line.hasPrefix("//// ") {
          add()
          lines = []
          let parts = line.dropFirst(5).split(separator: ":", maxSplits: 1)
          head = (
            parts.first == "hazard", parts.last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "",
            index + 1
          )
        } else {
          lines.append(line)
        }
      }
      add()
    }
    self.cases = cases
  }

  /// The kind after which a file is named.
  static func kind(of fileName: String) -> String { String(fileName.prefix { $0 != "." && $0 != "+" }) }

  /// How many hazards of a kind are found, and how many look-alikes raise an alarm.
  public struct Score: Sendable {
    public var hazards = 0, found = 0, lookAlikes = 0, alarms = 0
    public var recall: Double { hazards == 0 ? 1 : Double(found) / Double(hazards) }
    public var alarmRate: Double { lookAlikes == 0 ? 0 : Double(alarms) / Double(lookAlikes) }
  }

  public struct Result: Sendable {
    public var scores: [String: Score] = [:]
    /// The cases that went wrong, one line each.
    public var mistakes: [String] = []
    public var total: Score {
      scores.values.reduce(into: Score()) {
        $0.hazards += $1.hazards
        $0.found += $1.found
        $0.lookAlikes += $1.lookAlikes
        $0.alarms += $1.alarms
      }
    }

    public func table(isDetailed: Bool = false) -> String {
      func row(_ name: String, _ score: Score) -> String {
        let padded = name.padding(toLength: max(28, name.count), withPad: " ", startingAt: 0)
        return padded
          + String(
            format: "%3d of %3d %4.0f %%   %3d of %3d %4.0f %%\n", score.found, score.hazards,
            score.recall * 100,
            score.alarms, score.lookAlikes, score.alarmRate * 100)
      }
      var text =
        "kind".padding(toLength: 28, withPad: " ", startingAt: 0) + "found              false alarms\n"
      for (kind, score) in scores.sorted(by: { $0.key < $1.key }) { text += row(kind, score) }
      text += row("all", total)
      if isDetailed { text += mistakes.map { $0 + "\n" }.joined() }
      return text
    }
  }

  /// Analyzes each case by itself.
  public func measure(_ rules: [any Rule]) -> Result {
    var result = Result()
    for item in cases {
      let project = Project([item.file])
      let findings = rules.flatMap { $0.check(item.file, in: project) }
      var score = result.scores[item.kind, default: Score()]
      let name = "\(item.kind):\(item.line): \(item.title)"
      if item.isHazard {
        score.hazards += 1
        let isFound = findings.contains { finding in
          finding.kind == item.kind && (item.marks.isEmpty || covers(finding, item))
        }
        if isFound {
          score.found += 1
        } else {
          result.mistakes.append(
            "missed  \(name)  [\(Set(findings.map(\.kind)).sorted().joined(separator: " "))]")
        }
      } else {
        score.lookAlikes += 1
        let alarms = findings.filter { $0.severity == .hazard }
        if let first = alarms.first {
          score.alarms += 1
          result.mistakes.append(
            "alarm   \(name)  [\(first.kind) line \(first.place.line): \(first.message)]")
        }
      }
      result.scores[item.kind] = score
    }
    return result
  }

  /// Whether a finding names a marked line, or is in the function of one.
  private func covers(_ finding: Finding, _ item: Case) -> Bool {
    let lines = Set(([finding.place] + finding.others).map(\.line))
    if !lines.isDisjoint(with: item.marks) { return true }
    return item.file.bodies.contains { body in
      guard body.closure == nil else { return false }
      let first = item.file.line(of: body.node.positionAfterSkippingLeadingTrivia),
        last = item.file.line(of: body.node.endPosition)
      return lines.contains { (first...last).contains($0) }
        && item.marks.contains { (first...last).contains($0) }
    }
  }
}
