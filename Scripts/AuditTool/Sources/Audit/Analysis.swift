import Dispatch
import Foundation
import SwiftSyntax

/// Reads the Swift files below some paths and checks them against rules.
public struct Analysis {
  /// Larger files are generated code or data.
  static let largestFile = 1_000_000
  private static let skipped: Set = ["Pods", "Carthage", "DerivedData", "node_modules", "build"]

  let rules: [any Rule]

  public init(rules: [any Rule]) { self.rules = rules }

  /// The Swift files below the paths, each once, and what could not be read.
  static func swiftFiles(in paths: [String]) -> (files: [String], problems: [String]) {
    let (files, problems) = foundFiles(in: paths)
    return (files.map(\.path), problems)
  }

  /// The Swift files, each with the path below which it was found. A named file has none.
  private static func foundFiles(
    in paths: [String]
  ) -> (files: [(path: String, folder: String?)], problems: [String]) {
    var files: [(path: String, folder: String?)] = [], problems: [String] = [], seen: Set<String> = []
    func visit(_ path: String, in folder: String?) {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        problems.append("\(path): cannot be read")
        return
      }
      if !isFolder.boolValue {
        let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        if folder == nil || path.hasSuffix(".swift"), seen.insert(real).inserted {
          files.append((path, folder))
        }
        return
      }
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        problems.append("\(path): cannot be read")
        return
      }
      for name in names.sorted() where !name.hasPrefix(".") && !skipped.contains(name) {
        let child = path.hasSuffix("/") ? path + name : path + "/" + name
        let type = (try? FileManager.default.attributesOfItem(atPath: child))?[.type] as? FileAttributeType
        // A link to a folder can lead back.
        if type == .typeSymbolicLink {
          var isFolder: ObjCBool = false
          _ = FileManager.default.fileExists(atPath: child, isDirectory: &isFolder)
          if isFolder.boolValue { continue }
        }
        visit(child, in: folder ?? path)
      }
    }
    for path in paths { visit(path, in: nil) }
    return (files, problems)
  }

  /// Analyzes all files, in parallel.
  public func run(_ paths: [String]) -> Report {
    let (files, problems) = Self.read(paths)
    return check(Project(files), problems)
  }

  /// Reads and parses the files below the paths, in parallel.
  package static func read(_ paths: [String]) -> (files: [SourceFile], problems: [String]) {
    var (found, problems) = foundFiles(in: paths)
    found.sort { $0.path < $1.path }
    let parsed: [Parsed] = parallel(found.count) { [found] in parse(found[$0].path, in: found[$0].folder) }
    var files: [SourceFile] = []
    for item in parsed {
      switch item {
      case .file(let file): files.append(file)
      case .problem(let text): problems.append(text)
      }
    }
    problems += files.filter(\.isBroken).map {
      "\($0.path): has syntax errors, so a part of it is not analyzed"
    }
    return (files, problems)
  }

  /// Checks the files of a project, in parallel.
  func check(_ project: Project, _ problems: [String]) -> Report {
    let files = project.files, rules = rules
    let isChecked = files.map { !$0.isTest && !$0.isGenerated }
    let found: [[Finding]] = parallel(files.count) { index in
      isChecked[index] ? rules.flatMap { $0.check(files[index], in: project) } : []
    }
    let checked = isChecked.count { $0 }
    var report = Report(
      rules: rules, files: checked, unchecked: files.count - checked, problems: problems)
    for (file, findings) in zip(files, found) {
      let ignored = Ignored(file, rules)
      report.problems += ignored.problems
      for finding in Set(findings) {
        if ignored.contains(finding) {
          report.ignored += 1
        } else {
          report.findings.append(file.isForDebugging(finding.place) ? finding.asNote : finding)
        }
      }
    }
    func precedes(_ left: Finding, _ right: Finding) -> Bool {
      (left.severity, left.place.path, left.place.line, left.place.column, left.kind, left.message)
        < (right.severity, right.place.path, right.place.line, right.place.column, right.kind, right.message)
    }
    report.findings.sort {
      precedes($0, $1)
        || !precedes($1, $0)
          && $0.others.map { [$0.line, $0.column] }.lexicographicallyPrecedes(
            $1.others.map { [$0.line, $0.column] }, by: { $0.lexicographicallyPrecedes($1) })
    }
    return report
  }

  private enum Parsed {
    case file(SourceFile)
    case problem(String)
  }

  private static func parse(_ path: String, in folder: String?) -> Parsed {
    guard let data = FileManager.default.contents(atPath: path) else {
      return .problem("\(path): cannot be read")
    }
    if data.count > largestFile { return .problem("\(path): skipped, because it is larger than 1 MB") }
    guard let text = String(data: data, encoding: .utf8) else { return .problem("\(path): not UTF-8") }
    let file = SourceFile(path: path, text: text, in: folder)
    return file.isTooDeep
      ? .problem("\(path): skipped, because its code is nested too deeply") : .file(file)
  }
}

/// The results of `body` for `0..<count`, made on all cores. The threads have large stacks, because
/// a syntax tree can be deep.
func parallel<Value>(_ count: Int, _ body: @escaping (Int) -> Value) -> [Value] {
  let state = ParallelState<Value>(count, body)
  let threads = max(1, min(count, ProcessInfo.processInfo.activeProcessorCount))
  let group = DispatchGroup()
  for _ in 0..<threads {
    group.enter()
    let thread = Thread {
      while let index = state.next() { state.set(index, state.body(index)) }
      group.leave()
    }
    thread.stackSize = 1 << 30
    thread.start()
  }
  group.wait()
  return state.values.map { $0! }
}

/// `lock` guards `values` and `index`.
private final class ParallelState<Value>: @unchecked Sendable {
  let body: (Int) -> Value
  private(set) var values: [Value?]
  private var index = 0
  private let lock = NSLock()

  init(_ count: Int, _ body: @escaping (Int) -> Value) {
    self.body = body
    values = Array(repeating: nil, count: count)
  }

  func next() -> Int? {
    lock.withLock {
      guard index < values.count else { return nil }
      index += 1
      return index - 1
    }
  }

  func set(_ index: Int, _ value: Value) { lock.withLock { values[index] = value } }
}

/// The lines on which a comment leaves findings out.
private struct Ignored {
  private var kinds: [Int: Set<String>] = [:]
  private(set) var problems: [String] = []

  init(_ file: SourceFile, _ rules: [any Rule]) {
    guard file.text.contains("audit:ignore") else { return }
    let lines = file.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard let range = line.range(of: "audit:ignore"), let slashes = line.range(of: "//"),
        slashes.lowerBound < range.lowerBound
      else { continue }
      let words = line[range.upperBound...].split(separator: " ", maxSplits: 1)
      let kind = words.first.map(String.init) ?? ""
      if !Audit.rules.contains(where: { $0.kind == kind }) {
        problems.append("\(file.path):\(index + 1): audit:ignore names no kind: '\(kind)'")
      } else if words.count < 2 || words[1].allSatisfy(\.isWhitespace) {
        problems.append("\(file.path):\(index + 1): audit:ignore \(kind) gives no reason")
      } else {
        let isAlone = line[..<slashes.lowerBound].allSatisfy(\.isWhitespace)
        // Several comments can stand above one line.
        let next = lines[(index + 1)...].firstIndex { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
        kinds[(isAlone ? next ?? index : index) + 1, default: []].insert(kind)
      }
    }
  }

  func contains(_ finding: Finding) -> Bool { kinds[finding.place.line]?.contains(finding.kind) == true }
}
