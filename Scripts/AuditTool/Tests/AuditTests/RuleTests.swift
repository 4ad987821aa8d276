import Foundation
import Testing

@testable import Audit

private let corpusPath = String(#filePath.dropLast("Tests/AuditTests/RuleTests.swift".count)) + "Corpus"

@Suite("Rules")
struct RuleTests {
  @Test("the rules find all hazards of the corpus, and raise no alarm in a look-alike")
  func corpus() throws {
    let result = try Corpus([corpusPath]).measure(rules)
    print(result.table(isDetailed: true))
    #expect(result.total.hazards >= 150 && result.total.lookAlikes >= 150)
    #expect(result.mistakes == [])
    for (kind, score) in result.scores {
      #expect(score.hazards >= 5 && score.lookAlikes >= 5, "\(kind)")
    }
  }

  @Test("the severities of a rule are those of its findings in the corpus")
  func severities() throws {
    var seen: [String: Set<Severity>] = [:]
    for finding in Analysis(rules: rules).run([corpusPath]).findings {
      seen[finding.kind, default: []].insert(finding.severity)
    }
    for rule in rules {
      #expect(seen[rule.kind, default: []].isSubset(of: rule.severities), "\(rule.kind)")
    }
  }

  @Test("each file of the corpus is named after a kind")
  func names() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: corpusPath).map(Corpus.kind)
    #expect(Set(names).subtracting(rules.map(\.kind)) == [])
    #expect(Set(rules.filter { $0.severity == .hazard }.map(\.kind)).subtracting(names) == [])
  }

  @Test("each rule finds its example, and nothing in its repair", arguments: rules.map(\.kind))
  func example(kind: String) throws {
    let rule = try #require(rules.first { $0.kind == kind })
    func findings(_ code: String) -> [Finding] {
      // An example is a whole file, the member of a class, or the body of a function.
      let fragments = [code, screen(code), screen("func example() {\n\(code)\n}")]
      return fragments.enumerated().flatMap { index, code in
        let file = SourceFile(path: "Example.swift", text: code)
        let found = file.isBroken ? [] : rule.check(file, in: Project([file]))
        return index == 0 ? found : found.filter { $0.place.line > 5 }
      }
    }
    #expect(!findings(rule.example).isEmpty)
    #expect(findings(rule.repaired) == [])
  }

  /// A class with the members that the examples use, in its first five lines.
  private func screen(_ code: String) -> String {
    """
    import UIKit
    final class Screen {
      let lock = NSLock(), queue = DispatchQueue(label: "screen"), group = DispatchGroup()
      var profile: Profile?, items: [Item] = [], values: [Int: Item] = [:], hasLoaded = false
      var observers: [(Item) -> Void] = [], results: [Item] = []
      \(code)
    }
    """
  }

  @Test(
    "a class is on the main actor if its superclass is one of UIKit, or a screen of another module",
    arguments: [
      ("class Subject: UISlider {}", true), ("class Subject: OtherViewController {}", true),
      ("class Subject: Card {}; class Card: UIControl {}", true), ("class Subject: UIImage {}", false),
      ("class Subject: UITextFieldDelegate {}", false), ("class Subject: Loader {}", false),
      ("protocol CartView {}; class Subject: CartView {}", false),
    ])
  func screens(code: String, isMainActor: Bool) throws {
    let project = Project([SourceFile(path: "Screens.swift", text: code)])
    #expect(project.isMainActor(try #require(project.type(named: "Subject"))) == isMainActor)
  }

  @Test("calls under one lock make one finding")
  func groupsCalls() throws {
    let file = SourceFile(
      path: "Bell.swift",
      text: """
        final class Bell {
          weak var delegate: BellDelegate?
          var onRing: (() -> Void)?
          let lock = NSLock()
          func ring() { lock.withLock { delegate?.willRing(); onRing?(); delegate?.didRing() } }
          func stop() { lock.withLock { delegate?.didStop() } }
        }
        """)
    let findings = rules.flatMap { $0.check(file, in: Project([file])) }
      .filter { $0.kind == "foreign-code-under-lock" }.sorted { $0.place.line < $1.place.line }
    #expect(findings.map(\.place.line) == [5, 6])
    #expect(findings.first?.message == "`delegate`, the closure `onRing` are called while the lock is held")
    #expect(findings.first?.others.count == 3)
  }

  @Test("the block of `perform` is not known to run on the main queue")
  func perform() {
    let file = SourceFile(
      path: "Import.swift",
      text: "func load() { context.perform { MainActor.assumeIsolated { show() } } }")
    #expect(rules.flatMap { $0.check(file, in: Project([file])) }.map(\.kind) == ["assumed-isolation"])
  }

  @Test("kinds are unique, and each rule says what happens and what to do")
  func texts() {
    #expect(Set(rules.map(\.kind)).count == rules.count)
    for rule in rules {
      #expect(rule.consequence.hasSuffix("."), "\(rule.kind)")
      #expect(
        !rule.why.isEmpty && !rule.example.isEmpty && !rule.repair.isEmpty && !rule.repaired.isEmpty
          && !rule.section.isEmpty, "\(rule.kind)")
    }
  }
}
