import Foundation
import Testing

@testable import Audit

private let root = String(
  #filePath.dropLast("Scripts/AuditTool/Tests/AuditTests/HazardsPageTests.swift".count))
private let path = "Sources/AsyncViewModels/AsyncViewModels.docc/Hazards.md"
private let begin = "<!-- Begin: Scripts/audit page writes this part -->\n"
private let part = begin + "<!-- End -->\n"

/// The texts of all files of a kind in some folders of the repository.
private func texts(_ suffix: String, in folders: String...) -> [String] {
  folders.flatMap { folder in
    let names = FileManager.default.enumerator(atPath: root + folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(suffix) && !$0.contains(".build") }.sorted()
      .compactMap { try? String(contentsOfFile: "\(root)\(folder)/\($0)", encoding: .utf8) }
  }
}

@Suite("Page of hazards", .timeLimit(.minutes(1)))
struct HazardsPageTests {
  private let page: String

  init() throws { page = try String(contentsOfFile: root + path, encoding: .utf8) }

  @Test("the page has the texts of the rules; if not, run `Scripts/audit page` with its path")
  func upToDate() throws {
    let isUpToDate = try HazardsPage.updated(page, rules: rules) == page
    #expect(isUpToDate, "run: Scripts/audit page \(path)")
  }

  @Test("a page keeps its prose, and shows each kind once")
  func written() throws {
    let rule = try #require(rules.first { $0.kind == "check-before-await" })
    let note = try #require(rules.first { $0.kind == "detached-task" })
    let page = "# Title\n### \(rule.section)\nProse\n\(part)More\n### \(note.section)\n\(part)"
    let once = try HazardsPage.updated(page, rules: [rule, note])
    #expect(once.components(separatedBy: "#### check-before-await\n").count == 2)
    #expect(once.components(separatedBy: "- `detached-task`: ").count == 2)
    #expect(
      once.hasPrefix("# Title\n### Reentrancy\nProse\n") && once.contains("-->\nMore\n### Stale results\n"))
    #expect(once.split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(try HazardsPage.updated(once, rules: [rule, note]) == once)
  }

  @Test(
    "a page without a place for a kind is an error that names it",
    arguments: [
      ("### Other\n\(part)", "no rule has the section 'Other'"), ("", "no section 'Reentrancy'"),
      ("### Reentrancy\nProse\n", "no section 'Reentrancy'"),
      ("### Reentrancy\n<!-- End -->\n", "'Reentrancy' has an end without a beginning"),
      ("### Reentrancy\n\(begin)", "'Reentrancy' has no '<!-- End -->'"),
      (
        "### Reentrancy\n\(begin)## Next\n<!-- End -->\n",
        "'## Next' has no '<!-- End -->'"
      ),
    ])
  func failures(page: String, message: String) throws {
    let rule = try #require(rules.first { $0.kind == "check-before-await" })
    let failure = #expect(throws: HazardsPage.Failure.self) { try HazardsPage.updated(page, rules: [rule]) }
    #expect(failure?.description.contains(message) == true)
  }

  /// The first words of code in the repairs that belong to Swift or to Apple's frameworks.
  private static let foreign: Set = [
    "ContinuousClock", "MainActor", "Mutex", "NotificationCenter", "Sendable", "StateObject", "Task", "any",
    "await",
    "isolated", "lock", "registerForTraitChanges", "removeFromParent", "removeFromSuperview",
    "requestGeometryUpdate", "sleep", "viewDidLoad", "viewWillTransition", "weak",
  ]

  @Test("each part that a repair names is public in the toolkit")
  func parts() {
    let keywords: Set<Substring> = ["class", "struct", "actor", "enum", "protocol", "func"]
    func words(_ text: some StringProtocol) -> [Substring] {
      Substring(text).split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
    var declared: Set<Substring> = []
    let modules =
      ["", "GCD", "Requests", "UI"].map { "Sources/AsyncViewModels" + $0 } + ["Sources/ListSnapshots"]
    for text in modules.flatMap({ texts(".swift", in: $0) }) {
      for line in text.split(separator: "\n") where line.drop(while: { $0 == " " }).hasPrefix("public ") {
        let words = words(line)
        guard let index = words.firstIndex(where: keywords.contains), index + 1 < words.count else {
          continue
        }
        declared.insert(words[index + 1])
      }
    }
    for rule in rules {
      // Every second part is code.
      for (index, code) in rule.repair.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where index % 2 == 1 {
        let name = words(code)[0]
        #expect(declared.contains(name) || Self.foreign.contains(String(name)), "\(rule.kind): \(name)")
      }
    }
  }

  @Test("the tests, scenarios, mutants and rows that the page names exist")
  func proofs() {
    let tests = texts(".swift", in: "Tests", "Benchmarks/Matrix").joined(separator: "\n")
    let mutants = texts(".mutants", in: "Tests/Mutants").joined(separator: "\n")
    for match in page.matches(of: /--filter \w+\.(\w+)(?:\/(\w+))?/) {
      let suite = [" ", ":"].compactMap { tests.range(of: "\nstruct \(match.1)\($0)") }.first.map { start in
        tests[start.upperBound...].prefix(
          upTo: tests.range(of: "\n}", range: start.upperBound..<tests.endIndex)!.lowerBound)
      }
      #expect(suite?.contains(match.2.map { "func \($0)(" } ?? "") == true, "\(match.1)/\(match.2 ?? "")")
    }
    for match in page.matches(of: /--scenario ([^\s`]+)`/) {
      #expect(tests.contains("\"\(match.1)\""), "\(match.1)")
    }
    for match in page.matches(of: /Mutants\/run --only ([a-z-]+)`/) {
      #expect(mutants.contains("=== mutant \(match.1)\n"), "\(match.1)")
    }
    for match in page.matches(of: /row "([^"]+)"/) {
      #expect(tests.contains("\"\(match.1)\""), "\(match.1)")
    }
  }
}
