import Testing

@testable import Audit

@Suite("Ownership rules")
struct OwnershipRuleTests {
  @Test("each rule finds its example, and nothing in its repair", arguments: ownershipRules.map(\.kind))
  func example(kind: String) throws {
    let rule = try #require(ownershipRules.first { $0.kind == kind })
    func findings(_ code: String) -> [Finding] {
      let file = SourceFile(path: "Example.swift", text: code)
      return rule.check(file, in: Project([file]))
    }
    #expect(!findings(rule.example).isEmpty)
    #expect(findings(rule.repaired) == [])
  }
}
