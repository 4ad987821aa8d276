import Audit
import Foundation
import SwiftSyntax
import Testing

@testable import Migration

@Suite("the engine of a migration", .timeLimit(.minutes(5)))
struct EngineTests {
  @Test("an edit keeps all text around it, and takes its indentation from the file")
  func edits() {
    let old =
      "/* head */\r\nclass  Model {\r\n\tvar a = 1   // one\r\n\r\n\t/// Two.\r\n\tvar b = 2\r\n\tvar c = 3\r\n}"
    let migration = Migration(Replacing(), [SourceFile(path: "a.swift", text: old)])
    #expect(
      migration.files.map(\.new) == [
        "import New\r\n\r\n/* head */\r\nclass  Model {\r\n\tvar a = 10   // one\r\n\tfunc x() {\r\n\t\ty()\r\n\t}\r\n\r\n\tvar c = 3\r\n}"
      ])
  }

  @Test("the diff has three lines of context, and joins changes that are near")
  func diff() {
    let old = (1...20).map { "\($0)\n" }.joined()
    let new = old.replacingOccurrences(of: "\n8\n", with: "\n8a\n8b\n").replacingOccurrences(
      of: "20\n", with: "")
    #expect(
      unifiedDiff(old, new, path: "f") == """
        --- f
        +++ f
        @@ -5,7 +5,8 @@
         5
         6
         7
        -8
        +8a
        +8b
         9
         10
         11
        @@ -17,4 +18,3 @@
         17
         18
         19
        -20

        """)
    #expect(unifiedDiff(old, old, path: "f") == "")
    #expect(
      unifiedDiff("", "a", path: "f") == "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n")
  }

  @Test("a file with syntax errors, and a result with syntax errors, are refused")
  func syntaxErrors() {
    for (text, value, reason) in [
      ("class Model { var a = 1; var b = }", "10", "a.swift has syntax errors"),
      ("class Model { var a = 1 }", "(", "the result would have syntax errors"),
    ] {
      let migration = Migration(Replacing(text: value), [SourceFile(path: "a.swift", text: text)])
      #expect(migration.files.isEmpty)
      #expect(migration.refused.map(\.refusal.reason) == [reason])
    }
  }

  @Test("writing changes all files, or none if one has changed since it was read")
  func writing() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = ["a.swift", "b.swift"].map { folder.appending(path: $0) }
    func texts() throws -> [String] { try names.map { try String(contentsOf: $0, encoding: .utf8) } }
    for url in names {
      try "class Model {\n  var a = 1\n}\n".write(to: url, atomically: true, encoding: .utf8)
    }
    let migration = Migration(Replacing(), paths: [folder.path])
    try "// changed".write(to: names[1], atomically: true, encoding: .utf8)
    #expect(throws: Refusal("\(names[1].path) has changed since it was read")) { try migration.write() }
    #expect(try texts() == ["class Model {\n  var a = 1\n}\n", "// changed"])
    try migration.files[1].old.write(to: names[1], atomically: true, encoding: .utf8)
    try migration.write()
    #expect(try texts() == migration.files.map(\.new))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }
}

/// Changes the value of `a`, adds lines below it, and removes `b`.
private struct Replacing: Step {
  let name = "replacing", summary = "", subject = "a property `a`", page = ""
  var text = "10"

  func changes(in scope: Scope) -> [Change] {
    scope.project.files.map { file in
      Change("Model", in: scope.project) { edits in
        for variable in file.all(VariableDeclSyntax.self) {
          guard let binding = variable.bindings.first, let value = binding.initializer?.value else {
            continue
          }
          switch binding.pattern.code {
          case "a":
            edits.replace(value, with: text)
            edits.insertLines(["func x() {", "\ty()", "}"], after: variable)
            edits.addImport("New", to: variable)
          case "b": edits.removeLines(variable)
          default: break
          }
        }
      }
    }
  }
}
