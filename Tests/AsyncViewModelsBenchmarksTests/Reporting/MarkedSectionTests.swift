import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(1)))
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
    "a page has no section without both markers in order",
    arguments: [
      "", "<!-- table: begin -->", "<!-- table: end --><!-- table: begin -->",
      "<!-- matrix: begin --><!-- matrix: end -->",
    ])
  func unmarked(page: String) {
    #expect(section.contents(of: page) == nil)
    #expect(section.page(page, with: "new") == nil)
  }
}
