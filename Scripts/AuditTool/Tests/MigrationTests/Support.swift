import Audit
import Foundation
import Testing

@testable import Migration

/// Runs a step on a text, and expects a result. A second run changes nothing.
func expectMigration(
  _ step: any Step, _ old: String, to new: String, only: Set<String> = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let migration = Migration(step, [SourceFile(path: "a.swift", text: old)], only: only)
  #expect(
    migration.refused.map { "\($0.subject): \($0.refusal.reason)" } == [], sourceLocation: sourceLocation)
  let result = migration.files.first?.new ?? old
  #expect(result == new, "\(unifiedDiff(new, result, path: "result"))", sourceLocation: sourceLocation)
  let again = Migration(step, [SourceFile(path: "a.swift", text: result)], only: only)
  #expect(again.diff == "", sourceLocation: sourceLocation)
  #expect(again.refused.isEmpty, sourceLocation: sourceLocation)
}

/// The reasons for which a step refuses the types of a text. The step changes nothing.
func refusals(_ step: any Step, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> [String]
{
  let migration = Migration(step, [SourceFile(path: "a.swift", text: text)])
  #expect(migration.diff == "", sourceLocation: sourceLocation)
  return migration.refused.map(\.refusal.reason)
}

/// The folder `Migrations`, with a file before and after each case of a step.
let cases = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "Migrations")

/// The text after a step, and the reasons for which it was refused. A second run must change nothing.
func runTwice(_ step: any Step, _ text: String) -> (text: String, refusals: [String]) {
  let migration = Migration(step, [SourceFile(path: "a.swift", text: text)])
  let new = migration.files.first?.new ?? text
  #expect(Migration(step, [SourceFile(path: "a.swift", text: new)]).files.isEmpty)
  return (new, migration.refused.map(\.refusal.reason))
}

/// What the compiler says about files that import no package. Empty if they compile.
func compilerErrors(_ texts: [String]) throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let paths = try texts.enumerated().map { index, text in
    let url = folder.appending(path: "file\(index).swift")
    try text.write(to: url, atomically: true, encoding: .utf8)
    return url.path
  }
  let compiler = Process(), output = Pipe()
  compiler.executableURL = URL(filePath: "/usr/bin/env")
  compiler.arguments = ["swiftc", "-typecheck", "-parse-as-library", "-warnings-as-errors"] + paths
  compiler.standardError = output
  try compiler.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  compiler.waitUntilExit()
  return String(decoding: data, as: UTF8.self)
}
