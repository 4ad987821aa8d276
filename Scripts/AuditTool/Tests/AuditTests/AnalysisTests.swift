import Foundation
import Testing

@testable import Audit

private let gap = """
  actor Profiles {
    var profile: Profile?
    func load() async {
      guard profile == nil else { return }
      profile = await fetch()
    }
  }
  """

/// A folder with files, which is removed after the test.
private final class Folder {
  let path: String

  init(_ files: [String: String]) throws {
    path = FileManager.default.temporaryDirectory.path + "/audit-\(UUID().uuidString)"
    for (name, text) in files {
      let file = path + "/" + name
      try FileManager.default.createDirectory(
        atPath: URL(fileURLWithPath: file).deletingLastPathComponent().path, withIntermediateDirectories: true
      )
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func audit() -> Report { withExtendedLifetime(self) { Analysis(rules: rules).run([path]) } }
}

@Suite("Analysis")
struct AnalysisTests {
  @Test("a finding names the read, the await and the write")
  func places() throws {
    let report = try Folder(["A.swift": gap]).audit()
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.kind == "check-before-await" && finding.severity == .hazard)
    #expect(finding.place.line == 5)
    #expect(finding.others.map(\.line) == [4, 5])
  }

  @Test("hidden folders and packages of others are skipped, and each file is read once")
  func files() throws {
    let folder = try Folder([
      "A.swift": gap, "Pods/B.swift": gap, ".build/C.swift": gap, "D.txt": gap, "Sub/E.swift": gap,
    ])
    #expect(folder.audit().files == 2)
    #expect(Analysis(rules: rules).run([folder.path, folder.path + "/A.swift"]).files == 2)
  }

  @Test("files and folders that are named like tests are left out below the given paths")
  func testNames() throws {
    let folder = try Folder([
      "Mocks/A.swift": gap, "Cart/MockProfiles.swift": gap, "NetworkFakes/A.swift": gap,
      "CartTests/A.swift": gap, "TestHelpers/A.swift": gap, "ProfilesTests+Load.swift": gap,
    ])
    #expect(folder.audit().findings == [])
    let named = ["/Cart/MockProfiles.swift", "/CartTests"].map { folder.path + $0 }
    #expect(Analysis(rules: rules).run(named).findings.count == 2)
    let others = try Folder(["Mockup.swift": gap, "Attestation/Tester.swift": gap, "Testimonials.swift": gap])
    #expect(others.audit().findings.count == 3)
  }

  @Test("generated files are left out below the given paths")
  func generated() throws {
    let folder = try Folder([
      "A.generated.swift": gap, "B.swift": "// Generated using Sourcery 2.2.4\n// DO NOT EDIT\n" + gap,
      "C.swift": "// swiftlint:disable all\n// AutoMockable\n" + gap,
    ])
    #expect(folder.audit().findings == [])
    #expect(Analysis(rules: rules).run([folder.path + "/A.generated.swift"]).findings.count == 1)
    let others = try Folder(["Regenerated.swift": gap, "D.swift": gap + "\n// AutoMockable"])
    #expect(others.audit().findings.count == 2)
  }

  @Test(
    "hazards of code for developers are notes",
    arguments: [
      ("DebugMenu/A.swift", gap), ("ProfilesDebugScreen.swift", gap),
      ("A.swift", gap.replacingOccurrences(of: "Profiles", with: "DebugProfiles")),
      ("A.swift", "enum DebugMenu {\n\(gap)\n}"), ("A.swift", "#if DEBUG\n\(gap)\n#endif"),
      ("A.swift", "#if os(iOS) && DEBUG\n\(gap)\n#endif"),
      ("A.swift", "#if !DEBUG\nlet isDebug = false\n#else\n\(gap)\n#endif"),
    ])
  func debugging(name: String, code: String) throws {
    #expect(try Folder([name: code]).audit().findings.map(\.severity) == [.note])
  }

  @Test(
    "hazards of code that users run stay hazards beside code for developers",
    arguments: [
      ("Debugger.swift", gap), ("A.swift", "#if DEBUG\nlet isDebug = true\n#else\n\(gap)\n#endif"),
      ("A.swift", "#if !DEBUG\n\(gap)\n#endif"), ("A.swift", "enum DebugMenu {}\n\(gap)"),
    ])
  func production(name: String, code: String) throws {
    #expect(try Folder([name: code]).audit().findings.map(\.severity) == [.hazard])
  }

  @Test("a comment with a reason leaves a finding out")
  func ignored() throws {
    let silent = gap.replacingOccurrences(
      of: "    profile =", with: "    // audit:ignore check-before-await loads twice at most\n    profile =")
    let report = try Folder(["A.swift": silent]).audit()
    #expect(report.findings.isEmpty && report.ignored == 1 && report.problems.isEmpty)
  }

  @Test(
    "an incomplete comment is reported",
    arguments: [("check-before-await", "gives no reason"), ("no-such-kind because", "names no kind")])
  func incompleteComment(comment: String, problem: String) throws {
    let report = try Folder(["A.swift": "// audit:ignore \(comment)\n" + gap]).audit()
    #expect(report.findings.count == 1)
    #expect(report.problems.count == 1 && report.problems[0].contains(problem))
  }

  @Test("a file that cannot be analyzed is reported, and the others are analyzed")
  func badFiles() throws {
    let folder = try Folder([
      "A.swift": gap, "Deep.swift": String(repeating: "(", count: 5_000),
      "Large.swift": String(repeating: "// x\n", count: 300_000),
      "Broken.swift": "final class { func ( {{ let = \n\"", "Empty.swift": "",
    ])
    try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: folder.path + "/Bytes.swift"))
    let report = folder.audit()
    #expect(report.findings.map(\.kind) == ["check-before-await"])
    #expect(report.problems.count == 4)
    #expect(report.problems.contains { $0.contains("Broken.swift: has syntax errors") })
  }

  @Test("a link that leads back to its folder is not followed")
  func linkLoop() throws {
    let folder = try Folder(["A.swift": gap, "Sub/B.swift": gap])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/Sub/back", withDestinationPath: folder.path)
    #expect(folder.audit().files == 2)
  }

  @Test("a chain of any length is analyzed or reported, and brackets in strings do not count")
  func deepCode() throws {
    let brackets = "let text = \"" + String(repeating: "([{", count: 500) + "\"\n" + gap
    let chain = "let chain = a" + String(repeating: ".b()", count: 60_000) + "\n" + gap
    let report = try Folder(["Brackets.swift": brackets, "Chain.swift": chain]).audit()
    #expect(report.findings.count == 1 && report.findings[0].place.path.hasSuffix("Brackets.swift"))
    #expect(report.problems.count == 1 && report.problems[0].contains("Chain.swift: skipped"))
  }

  @Test("comments of several kinds can stand above one line")
  func severalComments() throws {
    let silent = gap.replacingOccurrences(
      of: "    profile =",
      with: """
            // audit:ignore check-before-await loads twice at most
            // audit:ignore task-sleep the delay is short
            // audit:ignore stale-result the answers are equal
            profile =
        """)
    let report = try Folder(["A.swift": silent]).audit()
    #expect(report.findings.isEmpty && report.ignored == 1 && report.problems.isEmpty)
  }

  @Test("code of several lines makes a message of one line")
  func message() throws {
    let clock = """
      final class Player {
        var started = Date()
        func time() -> Double { Date().timeIntervalSince(self
          .started) }
      }
      """
    let report = try Folder(["A.swift": clock]).audit()
    #expect(report.findings.map(\.kind) == ["wall-clock"])
    #expect(report.lines(showsNotes: true).filter(\.isNewline).count == 1)
  }

  @Test("a task in the closure of a button is searched")
  func taskInClosure() throws {
    let button = """
      final class Screen {
        var count = 0
        func show() {
          button.onTap { [weak self] in
            Task {
              guard let self, self.count == 0 else { return }
              self.count = await self.service.count()
            }
          }
        }
      }
      """
    let report = try Folder(["A.swift": button]).audit()
    #expect(report.findings.filter { $0.severity == .hazard }.map(\.kind) == ["check-before-await"])
  }

  @Test("a baseline leaves out known findings, also after lines have moved")
  func baseline() throws {
    let folder = try Folder(["A.swift": gap])
    let known = folder.path + "/baseline.txt"
    var first = folder.audit()
    try first.leaveOutKnown(in: known)
    try
      ("\n\n" + gap + "\n"
      + gap.replacingOccurrences(of: "Profiles", with: "Others").replacingOccurrences(
        of: "profile", with: "other"))
      .write(toFile: folder.path + "/A.swift", atomically: true, encoding: .utf8)
    // Another checkout can have other line ends.
    let lines = try String(contentsOfFile: known, encoding: .utf8)
    #expect(lines.hasPrefix("check-before-await\tA.swift\t"))
    try lines.replacingOccurrences(of: "\n", with: "\r\n").write(
      toFile: known, atomically: true, encoding: .utf8)
    var second = folder.audit()
    try second.leaveOutKnown(in: known)
    #expect(first.findings.isEmpty && first.ignored == 1)
    #expect(second.findings.count == 1 && second.findings[0].message.contains("`other`"))
  }

  @Test("the text fits 100 columns, and prints notes on request")
  func text() throws {
    let report = try Folder(["A.swift": gap + "\nfunc wait() { DispatchQueue.main.async { } }"]).audit()
    let text = report.text(showsNotes: false, hasColors: false)
    #expect(
      text.contains("hazard check-before-await (1)")
        && text.contains("Notes, which --notes prints: main-async 1"))
    #expect(text.split(separator: "\n").filter { !$0.contains(".swift:") }.allSatisfy { $0.count <= 100 })
    #expect(report.text(showsNotes: true, hasColors: true).contains("\u{1B}[33mnote\u{1B}[0m"))
  }

  @Test("JSON and SARIF have the finding and its places")
  func formats() throws {
    let report = try Folder([
      "A.swift": gap.replacingOccurrences(of: "    profile =", with: "    /* 🛒é */ profile ="),
      "B.swift": "func {",
    ]).audit()
    let json = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.count == 1 && (findings[0]["others"] as? [Any])?.count == 2)
    let sarif = try #require(
      try JSONSerialization.jsonObject(with: Data(report.sarif.utf8)) as? [String: Any])
    let runs = try #require(sarif["runs"] as? [[String: Any]])
    #expect((json["problems"] as? [String])?.count == 1)
    let invocations = try #require(runs[0]["invocations"] as? [[String: Any]])
    #expect((invocations[0]["toolExecutionNotifications"] as? [Any])?.count == 1)
    // The column of the byte is 18, that of the UTF-16 code unit is 15.
    #expect(report.findings[0].place.column == 18 && report.sarif.contains("\"startColumn\" : 15"))
    #expect(sarif["version"] as? String == "2.1.0" && (runs[0]["results"] as? [Any])?.count == 1)
    #expect(
      report.lines(showsNotes: false).hasSuffix(
        "A.swift:5:18: warning: \(report.findings[0].message) (check-before-await)\n"))
  }
}
