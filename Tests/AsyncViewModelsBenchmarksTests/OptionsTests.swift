import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import AsyncViewModelsBenchmarks

@Suite(.timeLimit(.minutes(1)))
struct OptionsTests {
  @Test("no arguments ask for a full run of everything")
  func defaults() throws {
    let options = try Options([])
    #expect(options.action == .measure)
    #expect(options.mode == .full)
    #expect(options.filter == nil && options.json == nil && options.catalog == nil)
    #expect(!options.isCheck && options.samples == nil && options.baseline == nil)
  }

  @Test("each flag is read, with its value behind it or after an equals sign")
  func flags() throws {
    let apart = try Options(["--quick", "--filter", "a=b", "--json", "out.json", "--catalog", "c.json"])
    let joined = try Options(["--quick", "--filter=a=b", "--json=out.json", "--catalog=c.json"])
    #expect(apart == joined)
    #expect(apart.mode == .quick)
    #expect(apart.filter == "a=b")
    #expect(apart.json == "out.json")
    #expect(apart.catalog == "c.json")

    let pages = try Options([
      "--markdown", "m.md", "--html=h.html", "--readme", "R.md", "--baseline", "b.json", "--samples=30",
      "--check",
    ])
    #expect(pages.markdown == "m.md" && pages.html == "h.html" && pages.readme == "R.md")
    #expect(pages.baseline == "b.json" && pages.samples == 30 && pages.isCheck)
  }

  @Test("help wins over a list, and a list over a run, in whatever order")
  func actions() throws {
    #expect(try Options(["--list", "--quick"]).action == .list)
    #expect(try Options(["--help", "--list"]).action == .help)
    #expect(try Options(["--list", "-h"]).action == .help)
    #expect(try Options(["serve", "--catalog", "c.json"]).action == .serve)
  }

  @Test(
    "a bad argument is refused by name",
    arguments: [
      (["--slow"], UsageError.unknownFlag("--slow")),
      (["--slow=1"], .unknownFlag("--slow")),
      (["-q"], .unknownFlag("-q")),
      (["search"], .unexpectedArgument("search")),
      (["--quick", "serve"], .unexpectedArgument("serve")),
      (["--filter"], .missingValue(flag: "--filter")),
      (["--json", "--quick"], .missingValue(flag: "--json")),
      (["--json="], .missingValue(flag: "--json")),
      (["--quick=yes"], .needlessValue(flag: "--quick")),
      (["--check=yes"], .needlessValue(flag: "--check")),
      (["--samples", "0"], .notACount(flag: "--samples", value: "0")),
      (["--samples", "many"], .notACount(flag: "--samples", value: "many")),
    ])
  func refusals(arguments: [String], error: UsageError) {
    #expect(throws: error) { try Options(arguments) }
  }

  @Test("an error names what the user wrote")
  func messages() {
    #expect("\(UsageError.unknownFlag("--slow"))".contains("--slow"))
    #expect("\(UsageError.invalidRegex("(", reason: "open"))".contains("'('"))
    #expect("\(UsageError.unwritable(path: "/no/where", reason: "gone"))".contains("/no/where"))
    #expect("\(UsageError.nothingSelected(filter: "xyz"))".contains("'xyz'"))
  }

  @Test("the usage names every flag")
  func usage() {
    for flag in [
      "--quick", "--filter", "--list", "--json", "--catalog", "--help", "--markdown", "--html", "--readme",
      "--baseline", "--check", "--samples",
    ] {
      #expect(Program.helpText.usage.contains(flag))
    }
  }
}
