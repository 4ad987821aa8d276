import Foundation
import Testing

@testable import Audit

@Suite("Page of hazards", .timeLimit(.minutes(1)))
struct HazardsPageTests {
  private static let root = String(
    #filePath.dropLast("Scripts/AuditTool/Tests/AuditTests/HazardsPageTests.swift".count))
  private static let path = "Sources/AsyncViewModels/AsyncViewModels.docc/Hazards.md"
  private static let page = (try? String(contentsOfFile: root + path, encoding: .utf8)) ?? ""
  private static let part = "<!-- Begin: Scripts/audit page writes this part -->\n<!-- End -->\n"

  /// The texts of all files of a kind in some folders of the repository.
  private static func texts(_ suffix: String, in folders: String...) -> [String] {
    folders.flatMap { folder in
      let names = FileManager.default.enumerator(atPath: root + folder)?.compactMap { $0 as? String } ?? []
      return names.filter { $0.hasSuffix(suffix) && !$0.contains(".build") }.sorted()
        .compactMap { try? String(contentsOfFile: "\(root)\(folder)/\($0)", encoding: .utf8) }
    }
  }

  @Test("the page has the texts of the rules; if not, run `Scripts/audit page` with its path")
  func upToDate() throws {
    let isUpToDate = try HazardsPage.updated(Self.page, rules: rules) == Self.page
    #expect(isUpToDate, "run: Scripts/audit page \(Self.path)")
  }

  @Test("a page keeps its prose, and shows each kind once")
  func written() throws {
    let rule = try #require(rules.first { $0.kind == "check-before-await" })
    let note = try #require(rules.first { $0.kind == "detached-task" })
    let page = "# Title\n### \(rule.section)\nProse\n\(Self.part)More\n### \(note.section)\n\(Self.part)"
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
      ("### Reentrancy\n\(part.prefix { $0 != "\n" })\n", "'Reentrancy' has no '<!-- End -->'"),
      (
        "### Reentrancy\n\(part.prefix { $0 != "\n" })\n## Next\n<!-- End -->\n",
        "'## Next' has no '<!-- End -->'"
      ),
    ])
  func failures(page: String, message: String) throws {
    let rule = try #require(rules.first { $0.kind == "check-before-await" })
    let failure = #expect(throws: HazardsPage.Failure.self) { try HazardsPage.updated(page, rules: [rule]) }
    #expect(failure?.description.contains(message) == true)
  }

  /// Names of Swift and of Apple's frameworks in the repairs.
  private static let foreign: Set = [
    "Clock", "ContinuousClock", "Mutex", "Sendable", "StateObject", "Task", "await", "close", "debounced",
    "deinit",
    "didMove", "isolated", "leave", "registerForTraitChanges", "removeFromParent", "removeFromSuperview",
    "requestGeometryUpdate", "sleep", "stream", "viewDidLoad", "viewWillTransition", "weak", "willMove",
  ]

  @Test("each part that a repair names is public in the toolkit")
  func parts() {
    let toolkit = Self.texts(
      ".swift", in: "Sources/AsyncViewModels", "Sources/AsyncViewModelsGCD",
      "Sources/AsyncViewModelsRequests",
      "Sources/AsyncViewModelsUI", "Sources/ListSnapshots"
    ).joined(separator: "\n")
    let declared = Set(
      toolkit.matches(of: /public (?:[\w()]+ )*(?:class|struct|actor|enum|protocol|func) (\w+)/).map {
        String($0.1)
      })
    for rule in rules {
      for name in rule.repair.matches(of: /`[^`\w]*(\w+)/).map({ String($0.1) }) {
        #expect(declared.contains(name) || Self.foreign.contains(name), "\(rule.kind): \(name)")
      }
    }
  }

  @Test("the tests, scenarios, mutants and rows that the page names exist")
  func proofs() throws {
    let tests = Self.texts(".swift", in: "Tests", "Benchmarks/Matrix").joined(separator: "\n")
    let mutants = Self.texts(".mutants", in: "Tests/Mutants").joined(separator: "\n")
    for match in Self.page.matches(of: /--filter \w+\.(\w+)(?:\/(\w+))?/) {
      let suite = tests.firstMatch(of: try Regex("\nstruct \(match.1)\\b(?s:.*?)\n\\}")).map {
        tests[$0.range]
      }
      #expect(suite?.contains("func \(match.2 ?? "")") == true, "\(match.1)/\(match.2 ?? "")")
    }
    for match in Self.page.matches(of: /--scenario ([^\s`]+)`/) {
      #expect(tests.contains("\"\(match.1)\""), "\(match.1)")
    }
    for match in Self.page.matches(of: /Mutants\/run --only ([a-z-]+)`/) {
      #expect(mutants.contains("=== mutant \(match.1)\n"), "\(match.1)")
    }
    for match in Self.page.matches(of: /row "([^"]+)"/) {
      #expect(tests.contains("\"\(match.1)\""), "\(match.1)")
    }
  }
}
