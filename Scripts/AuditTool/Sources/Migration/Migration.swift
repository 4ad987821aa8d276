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
  /// The comments about something to decide that the step adds.
  public private(set) var decisions = 0

  /// Runs a step on the Swift files below some paths.
  ///
  /// - Throws: ``Refusal`` if a file cannot be read.
  public init(_ step: any Step, paths: [String], only: Set<String> = []) throws(Refusal) {
    let (files, problems) = Analysis.read(paths)
    // A file with syntax errors matters only if the step has to change it.
    let broken = files.filter(\.isBroken).map { $0.path + ":" }
    if let problem = problems.first(where: { problem in !broken.contains(where: problem.hasPrefix) }) {
      throw Refusal(problem)
    }
    self.init(step, files, only: only)
  }

  /// Runs a step on files.
  public init(_ step: any Step, _ all: [SourceFile], only: Set<String> = []) {
    self.init(step, in: Project(all), only: only)
  }

  /// Runs a step on the files of a project.
  public init(_ step: any Step, in project: Project, only: Set<String> = []) {
    let all = project.files
    for name in only.sorted() where project.types[name] == nil {
      refused.append((name, Refusal("it is not in the files")))
    }
    var merged = Edits(project)
    for change in step.changes(in: Scope(project, only: only)) {
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
    for file in all {
      guard let new = merged.apply(to: file), new != file.text else { continue }
      files.append(File(path: file.path, old: file.text, new: new))
      decisions += new.count(of: decisionMark) - file.text.count(of: decisionMark)
    }
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
