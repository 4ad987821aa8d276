import Foundation
import Testing

@testable import Audit

@Suite("Report")
struct ReportTests {
  /// Analyzes a file without a folder.
  private func report(_ code: String, path: String) -> Report {
    let file = SourceFile(path: path, text: code)
    var report = Report(rules: rules, files: 1, problems: [])
    report.findings = rules.flatMap { $0.check(file, in: Project([file])) }
    return report
  }

  @Test("a summary counts the findings of each kind, hazards first")
  func summary() {
    let code = """
      actor Profiles {
        var profile: Profile?
        func load() async {
          guard profile == nil else { return }
          profile = await fetch()
        }
        func log() {
          Task.detached { send() }
          Task.detached { send() }
        }
      }
      """
    #expect(
      report(code, path: "A.swift").summary == """
        hazard  check-before-await        1 in 1 file
        note    detached-task             2 in 1 file

        1 hazard and 2 notes in 1 file

        """)
    #expect(report("", path: "A.swift").summary == "0 hazards and 0 notes in 1 file\n")
  }

  @Test("a place is named once in a finding")
  func places() throws {
    let code = """
      final class FavoritesViewModel: ObservableObject {
        @Published var favorites: [Item] = []
        @Published var showsEmptyState = false
        @Published var showsError = false
        @Published var loading = false
        func loaded(_ items: [Item]) {
          favorites = items
          loading = false
          if items.isEmpty { showsEmptyState = true }
        }
        func failed() {
          loading = false
          showsError = true
        }
      }
      """
    let finding = try #require(
      report(code, path: "A.swift").findings.first { $0.kind == "contradictory-state" })
    #expect(Set(finding.others).count == finding.others.count)
  }

  @Test("lines for Xcode have whole paths, and notes only on request")
  func lines() {
    let report = report("Task.detached { load() }", path: "Sources/A.swift")
    let folder = FileManager.default.currentDirectoryPath
    #expect(report.lines(showsNotes: false) == "")
    #expect(report.lines(showsNotes: true).hasPrefix("\(folder)/Sources/A.swift:1:1: note: "))
  }

  @Test(
    "SARIF names a file by a URI",
    arguments: [
      ("Sources/A B.swift", "Sources/A%20B.swift"), ("./A.swift", "A.swift"),
      ("/tmp/A.swift", "file:///tmp/A.swift"),
      ("a:b/C.swift", "a%3Ab/C.swift"),
    ])
  func uris(path: String, uri: String) {
    #expect(report("Task.detached { load() }", path: path).sarif.contains("\"uri\" : \"\(uri)\""))
  }
}
