import Audit
import Foundation

/// The result of a step for some files. Nothing is written before ``write()``.
public struct Migration: Sendable {
  public struct File: Sendable {
    public let path: String
    public let old: String
    public let new: String
  }

  /// The files that the step changes.
  public private(set) var files: [File] = []
  /// The types that the step changes.
  public private(set) var changed: [String] = []
  /// The types that the step does not change, each with the reason.
  public private(set) var refused: [(subject: String, refusal: Refusal)] = []
  /// The named types that are in no file.
  public private(set) var unknown: [String] = []
  /// The named types in which the step finds nothing to change, each with its place.
  public private(set) var unconcerned: [(subject: String, place: Place?)] = []
  /// The files that could not be read, each with the reason.
  public private(set) var skipped: [String] = []
  /// The comments about something to decide that the step adds.
  public private(set) var decisions = 0
  /// The paths of the files that were read.
  public let paths: [String]
  private let step: any Step
  /// What the step would change in other types.
  private let rest: String?

  /// Runs a step on the Swift files below some paths. A file that cannot be read is left out, and a file
  /// with a syntax error stays as it is.
  public init(_ step: any Step, paths: [String], only: Set<String> = []) {
    let (files, problems) = Analysis.read(paths)
    self.init(step, files, only: only)
    let broken = files.filter(\.isBroken).map { $0.path + ":" }
    let unread = problems.filter { problem in !broken.contains(where: problem.hasPrefix) }
    skipped = unread.map { $0.replacing(": skipped, because", with: ":") } + skipped
  }

  /// Runs a step on files.
  public init(_ step: any Step, _ all: [SourceFile], only: Set<String> = []) {
    self.init(step, in: Project(all), only: only)
  }

  /// Runs a step on the files of a project.
  public init(_ step: any Step, in project: Project, only: Set<String> = []) {
    let all = project.files, scope = Scope(project, only: only)
    (self.step, paths, rest) = (step, all.map(\.path), step.rest(in: scope))
    for error in all.compactMap(\.firstSyntaxError) {
      skipped.append(
        "\(error.path):\(error.line):\(error.column): a syntax error, so the file stays as it is")
    }
    var merged = Edits(project)
    for change in step.changes(in: scope) {
      switch change.outcome {
      case .failure(let refusal): refused.append((change.subject, refusal))
      case .success(let edits):
        if edits.isEmpty { continue }
        if let broken = all.first(where: { $0.isBroken && edits.edits[$0.path] != nil }) {
          refused.append((change.subject, Refusal("\(broken.path) has syntax errors")))
        } else if all.contains(where: { edits.makesSyntaxErrors(in: $0) }) {
          refused.append((change.subject, Refusal("the result would have syntax errors")))
        } else if !merged.merge(edits) {
          refused.append(
            (change.subject, Refusal("another type has to change at the same place: run the step again")))
        } else {
          changed.append(change.subject)
        }
      }
    }
    let concerned = Set((changed + refused.map(\.subject)).map { $0.prefix { $0 != "." } })
    for name in only.sorted() where !concerned.contains(name[...]) {
      // An extension alone has no properties to change.
      if let type = project.types[name], type.kind != .unknown {
        unconcerned.append((name, type.declaration.flatMap { project.place($0) }))
      } else {
        unknown.append(name)
      }
    }
    for file in all {
      guard let new = merged.apply(to: file), new != file.text else { continue }
      files.append(File(path: file.path, old: file.text, new: new))
      decisions += new.count(of: decisionMark) - file.text.count(of: decisionMark)
    }
  }

  /// Whether the step has changed less than it was asked to change.
  public var isIncomplete: Bool { !refused.isEmpty || !skipped.isEmpty }

  /// What the step has left, and why, for a terminal of 100 columns. The last line has the numbers.
  public func report(isWritten: Bool) -> String {
    func shown(_ place: Place?) -> String { place.map { "\($0.path):\($0.line):\($0.column): " } ?? "" }
    var lines = skipped.map { "skipped: \($0)" }
    lines += refused.map { "\(shown($0.refusal.place))refused: \($0.subject): \($0.refusal.reason)" }
    lines += unconcerned.map {
      "\(shown($0.place))nothing to do: \($0.subject): \(step.name) looks for \(step.subject)"
    }
    lines += rest.map { ["stays: \($0)"] } ?? []
    let names = changed.isEmpty ? "nothing" : changed.joined(separator: ", ")
    lines.append(
      "\(step.name): \(isWritten ? "changed" : "would change") \(names); \(refused.count) refused, "
        + "\(decisions) to decide"
        + (skipped.isEmpty ? "" : ", \(skipped.count) \(skipped.count == 1 ? "file" : "files") skipped"))
    return lines.map { wrapped($0, indent: 0, hanging: 2) }.joined()
  }

  /// The changes as a unified diff.
  public var diff: String { files.map { unifiedDiff($0.old, $0.new, path: $0.path) }.joined() }

  /// Writes all files, or none.
  ///
  /// - Throws: ``Refusal`` if a file has changed since it was read, or if a file cannot be written.
  public func write() throws(Refusal) {
    let targets = files.map { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath() }
    let temporary = targets.map { $0.deletingLastPathComponent().appending(path: ".\(UUID()).migrate") }
    defer { for url in temporary { try? FileManager.default.removeItem(at: url) } }
    for (file, (target, url)) in zip(files, zip(targets, temporary)) {
      do {
        try Data(file.new.utf8).write(to: url)
        let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions]
        try mode.map {
          try FileManager.default.setAttributes([.posixPermissions: $0], ofItemAtPath: url.path)
        }
      } catch {
        throw Refusal("\(file.path) cannot be written: \(error.localizedDescription)")
      }
    }
    for (file, target) in zip(files, targets) where (try? Data(contentsOf: target)) != Data(file.old.utf8) {
      throw Refusal("\(file.path) has changed since it was read")
    }
    for (index, file) in files.enumerated() where rename(temporary[index].path, targets[index].path) != 0 {
      for (file, target) in zip(files, targets).prefix(index) {
        try? Data(file.old.utf8).write(to: target, options: .atomic)
      }
      throw Refusal("\(file.path) cannot be replaced")
    }
  }
}

extension Edits {
  fileprivate func makesSyntaxErrors(in file: SourceFile) -> Bool {
    guard let new = apply(to: file) else { return true }
    return new != file.text && SourceFile(path: file.path, text: new).isBroken
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
