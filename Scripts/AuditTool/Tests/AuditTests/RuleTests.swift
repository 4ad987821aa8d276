import Foundation
import Testing

@testable import Audit

private let corpusPath = String(#filePath.dropLast("Tests/AuditTests/RuleTests.swift".count)) + "Corpus"

@Suite("Rules")
struct RuleTests {
  @Test(
    "the rules find nine of ten hazards of the corpus, and raise an alarm in at most one of ten look-alikes")
  func corpus() throws {
    let result = try Corpus([corpusPath]).measure(rules)
    print(result.table(isDetailed: true))
    #expect(result.total.hazards >= 150 && result.total.lookAlikes >= 150)
    #expect(result.total.recall >= 0.9)
    #expect(result.total.alarmRate <= 0.1)
  }

  @Test("each file of the corpus is named after a kind")
  func names() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: corpusPath).map {
      $0.replacingOccurrences(of: ".swift", with: "")
    }
    #expect(Set(names).subtracting(rules.map(\.kind)) == [])
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
