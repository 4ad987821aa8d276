import AsyncViewModelsCommandLine
import Foundation
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct MarkedSectionTests {
  private let section = MarkedSection(name: "table")

  @Test("only the text between the markers is replaced")
  func replacing() throws {
    let page = "before\n<!-- table: begin -->\nold\n<!-- table: end -->\nafter\n"
    let updated = try #require(section.page(page, with: "new\nlines"))
    #expect(updated == "before\n<!-- table: begin -->\nnew\nlines\n<!-- table: end -->\nafter\n")
    #expect(section.contents(of: updated) == "new\nlines")
  }

  @Test(
    "a page that does not have both markers in order has no section",
    arguments: [
      "", "<!-- table: begin -->", "<!-- table: end --><!-- table: begin -->",
      "<!-- matrix: begin --><!-- matrix: end -->",
    ])
  func unmarked(page: String) {
    #expect(section.contents(of: page) == nil)
    #expect(section.page(page, with: "new") == nil)
  }

  @Test("a program writes its section of a page, and rejects a page without the section")
  func pages() throws {
    let other = MarkedSection(name: "other")
    let file = URL.temporaryDirectory.appending(path: "page-\(UUID()).md")
    defer { try? FileManager.default.removeItem(at: file) }
    let text = "<!-- table: begin -->\n<!-- table: end -->\n<!-- other: begin -->\n<!-- other: end -->\n"
    try text.write(to: file, atomically: true, encoding: .utf8)
    try MarkedPage(file.path, section: section).write("new")
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(section.contents(of: page) == "new")
    #expect(other.contents(of: page) == "")
    let missing = MarkedSection(name: "missing")
    #expect(throws: UsageError.noMarkers(path: file.path, marker: missing.begin)) {
      try MarkedPage(file.path, section: missing)
    }
  }
}
