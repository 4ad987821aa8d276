import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import AsyncViewModelsBenchmarks

@Suite(.timeLimit(.minutes(1)))
struct MatrixOptionsTests {
  @Test("each flag is read, with its value behind it or after an equals sign")
  func flags() throws {
    let apart = try MatrixOptions(["--markdown", "--json", "out.json", "--update", "README.md"])
    #expect(apart == (try MatrixOptions(["--json=out.json", "--update=README.md", "--markdown"])))
    #expect(apart.isMarkdown)
    #expect(apart.json == "out.json")
    #expect(apart.page == "README.md")
    #expect(apart.action == .probe)
    #expect(try MatrixOptions(["-h"]).action == .help)
  }

  @Test(
    "a bad argument is refused by name",
    arguments: [
      (["--quick"], UsageError.unknownFlag("--quick")),
      (["closure"], .unexpectedArgument("closure")),
      (["--json"], .missingValue(flag: "--json")),
      (["--markdown=yes"], .needlessValue(flag: "--markdown")),
    ])
  func refusals(arguments: [String], error: UsageError) {
    #expect(throws: error) { try MatrixOptions(arguments) }
  }

  @Test("the usage names every flag")
  func usage() {
    for flag in ["--markdown", "--update", "--json", "--help"] {
      #expect(MatrixOptions.usage.contains(flag))
    }
  }
}
