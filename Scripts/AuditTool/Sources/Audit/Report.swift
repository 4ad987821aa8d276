import Foundation

/// What an analysis has found, and its forms for people and tools.
public struct Report: Sendable {
  let rules: [any Rule]
  public internal(set) var findings: [Finding] = []
  /// How many files were checked.
  public internal(set) var files: Int
  /// How many files were read and not checked, because they belong to tests or are generated.
  public internal(set) var unchecked: Int
  /// How many findings comments and the baseline leave out.
  public internal(set) var ignored = 0
  public internal(set) var problems: [String]

  init(rules: [any Rule], files: Int, unchecked: Int = 0, problems: [String]) {
    self.rules = rules
    (self.files, self.unchecked) = (files, unchecked)
    self.problems = problems
  }

  private func rule(_ finding: Finding) -> (any Rule)? { rules.first { $0.kind == finding.kind } }

  // MARK: Text

  /// The findings for a terminal of 100 columns: hazards in groups, the largest first, then the
  /// notes.
  public func text(showsNotes: Bool, hasColors: Bool) -> String {
    func style(_ text: String, _ code: String) -> String {
      hasColors ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
    var text = ""
    let hazards = findings.filter { $0.severity == .hazard }, notes = findings.filter { $0.severity == .note }
    for (kind, group) in grouped(showsNotes ? findings : hazards) {
      guard let rule = rules.first(where: { $0.kind == kind }) else { continue }
      let word = group[0].severity == .hazard ? style("hazard", "1;31") : style("note", "33")
      text += "\(word) \(style(kind, "1")) (\(group.count))\n"
      text += wrapped(rule.consequence, indent: 2) + wrapped("Instead: \(rule.repair)", indent: 2)
      text += wrapped("See: Hazards.md#\(rule.anchor)", indent: 2)
      for finding in group {
        text += "  \(style(shown(finding.place), "36"))\n" + wrapped(finding.message, indent: 4)
        for place in finding.others {
          text +=
            "      \(place.path == finding.place.path ? "line \(place.line)" : shown(place)): \(place.label)\n"
        }
      }
      text += "\n"
    }
    if !showsNotes, !notes.isEmpty {
      let counts = grouped(notes).map { "\($0.kind) \($0.findings.count)" }.joined(separator: ", ")
      text += wrapped("Notes, which --notes prints: \(counts)", indent: 0) + "\n"
    }
    return text + totals
  }

  /// How many findings each kind has, and in how many files.
  public var summary: String {
    var text = ""
    for (kind, group) in grouped(findings) {
      let files = Set(group.map(\.place.path)).count
      text += "\(group[0].severity.rawValue.padding(toLength: 6, withPad: " ", startingAt: 0))  "
      text += "\(kind.padding(toLength: 24, withPad: " ", startingAt: 0))  "
      text += "\(group.count) in \(files) \(files == 1 ? "file" : "files")\n"
    }
    return text + (text.isEmpty ? "" : "\n") + totals
  }

  private var totals: String {
    let hazards = findings.count { $0.severity == .hazard }, notes = findings.count - hazards
    return "\(hazards) \(hazards == 1 ? "hazard" : "hazards") and \(notes) \(notes == 1 ? "note" : "notes")"
      + " in \(number(files, "file"))" + (ignored > 0 ? ", \(ignored) left out" : "")
      + (unchecked > 0
        ? "; \(number(unchecked, "file")) of tests or generated code not checked\n" : "\n")
  }

  private func grouped(_ findings: [Finding]) -> [(kind: String, findings: [Finding])] {
    Dictionary(grouping: findings) { "\($0.severity == .hazard ? 0 : 1) \($0.kind)" }
      .sorted { ($0.key.first!, -$0.value.count, $0.key) < ($1.key.first!, -$1.value.count, $1.key) }
      .map { ($0.value[0].kind, $0.value) }
  }

  private func shown(_ place: Place) -> String { "\(place.path):\(place.line):\(place.column)" }

  // MARK: Lines

  /// `file:line:column: warning: message (kind)`, which Xcode shows in the editor. Xcode needs the
  /// whole path.
  public func lines(showsNotes: Bool) -> String {
    findings.filter { showsNotes || $0.severity == .hazard }.map { finding in
      let word = finding.severity == .hazard ? "warning" : "note", place = finding.place
      let path = URL(fileURLWithPath: place.path).standardizedFileURL.path
      return "\(path):\(place.line):\(place.column): \(word): \(finding.message) (\(finding.kind))\n"
    }.joined()
  }

  // MARK: JSON

  public var json: String {
    struct Spot: Encodable { let path: String, line: Int, column: Int, label: String }
    struct Entry: Encodable {
      let kind, severity, message, consequence, repair, section: String
      let place: Spot
      let others: [Spot]
    }
    struct Whole: Encodable {
      let files, unchecked, ignored: Int
      let problems: [String]
      let findings: [Entry]
    }
    func spot(_ place: Place) -> Spot {
      Spot(path: place.path, line: place.line, column: place.column, label: place.label)
    }
    return encoded(
      Whole(
        files: files, unchecked: unchecked, ignored: ignored, problems: problems,
        findings: findings.map { finding in
          let rule = rule(finding)
          return Entry(
            kind: finding.kind, severity: finding.severity.rawValue, message: finding.message,
            consequence: rule?.consequence ?? "",
            repair: rule?.repair ?? "", section: rule?.anchor ?? "", place: spot(finding.place),
            others: finding.others.map(spot))
        }))
  }

  // MARK: SARIF

  public var sarif: String {
    struct Text: Encodable { let text: String }
    struct Description: Encodable {
      let id: String
      let shortDescription, help: Text
    }
    struct Driver: Encodable {
      let name = "audit"
      let rules: [Description]
    }
    struct Tool: Encodable { let driver: Driver }
    struct Artifact: Encodable { let uri: String }
    struct Region: Encodable { let startLine, startColumn: Int }
    struct Physical: Encodable {
      let artifactLocation: Artifact
      let region: Region
    }
    struct Location: Encodable {
      let physicalLocation: Physical
      let message: Text?
    }
    struct Outcome: Encodable {
      let ruleId, level: String
      let message: Text
      let locations, relatedLocations: [Location]
    }
    struct Notification: Encodable {
      let level = "error"
      let message: Text
    }
    struct Invocation: Encodable {
      let executionSuccessful = true
      let toolExecutionNotifications: [Notification]
    }
    struct Run: Encodable {
      let columnKind = "utf16CodeUnits"
      let tool: Tool
      let invocations: [Invocation]
      let results: [Outcome]
    }
    struct Log: Encodable {
      let version = "2.1.0"
      let schema = "https://json.schemastore.org/sarif-2.1.0.json"
      let runs: [Run]
      enum CodingKeys: String, CodingKey {
        case version, runs
        case schema = "$schema"
      }
    }
    func uri(_ path: String) -> String {
      let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
      // A colon before the first slash would end a scheme.
      let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":"))
      let encoded = relative.addingPercentEncoding(withAllowedCharacters: allowed) ?? relative
      return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
    func location(_ place: Place, _ message: String?) -> Location {
      Location(
        physicalLocation: Physical(
          artifactLocation: Artifact(uri: uri(place.path)),
          region: Region(startLine: place.line, startColumn: place.utf16Column)),
        message: message.map(Text.init))
    }
    let driver = Driver(
      rules: rules.map {
        Description(
          id: $0.kind, shortDescription: Text(text: $0.consequence), help: Text(text: "Instead: \($0.repair)")
        )
      })
    let results = findings.map { finding in
      Outcome(
        ruleId: finding.kind, level: finding.severity == .hazard ? "warning" : "note",
        message: Text(text: finding.message),
        locations: [location(finding.place, nil)],
        relatedLocations: finding.others.map { location($0, $0.label) })
    }
    let problems = Invocation(toolExecutionNotifications: problems.map { .init(message: Text(text: $0)) })
    return encoded(
      Log(runs: [Run(tool: Tool(driver: driver), invocations: [problems], results: results)]))
  }

  private func encoded(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  // MARK: Baseline

  /// Leaves out the findings of a baseline file. Writes the file if it does not exist. A finding is
  /// known by its kind, file and message, so it stays known if lines move. The paths are relative to
  /// the folder of the baseline, or to the current folder for files outside of it.
  public mutating func leaveOutKnown(in path: String) throws {
    let folders = [
      URL(fileURLWithPath: path).deletingLastPathComponent(),
      URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
    ].map { $0.standardizedFileURL.path + "/" }
    func key(_ finding: Finding) -> String {
      let file = URL(fileURLWithPath: finding.place.path).standardizedFileURL.path
      let folder = folders.first { file.hasPrefix($0) } ?? ""
      return [finding.kind, String(file.dropFirst(folder.count)), finding.message]
        .map { String($0.map { $0.isNewline ? " " : $0 }) }.joined(separator: "\t")
    }
    guard FileManager.default.fileExists(atPath: path) else {
      try findings.map { key($0) + "\n" }.sorted().joined().write(
        toFile: path, atomically: true, encoding: .utf8)
      ignored += findings.count
      findings = []
      return
    }
    var known: [String: Int] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline) {
      known[String(line), default: 0] += 1
    }
    findings.removeAll { finding in
      guard let count = known[key(finding)], count > 0 else { return false }
      known[key(finding)] = count - 1
      ignored += 1
      return true
    }
  }
}

/// Wraps text at 100 columns. `hanging` indents all lines but the first.
package func wrapped(_ text: String, indent: Int, hanging: Int = 0) -> String {
  var lines = "", line = String(repeating: " ", count: indent), isEmpty = true
  for word in text.split(separator: " ") {
    if line.count + word.count + 1 > 100, !isEmpty {
      lines += line + "\n"
      line = String(repeating: " ", count: indent + hanging)
      isEmpty = true
    }
    line += (isEmpty ? "" : " ") + word
    isEmpty = false
  }
  return lines + line + "\n"
}
