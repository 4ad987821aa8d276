import AsyncViewModelsCommandLine
import Testing

@testable import AsyncViewModelsBenchmarkHarness
@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct OptionsTests {
  @Test("without arguments, the options are those of a full run of everything")
  func defaults() throws {
    let options = try Options([])
    #expect(options.action == .measure)
    #expect(options.mode == .full)
    #expect(options.filters.isEmpty && options.json == nil && options.ownValues.isEmpty)
    #expect(!options.isCheck && options.baseline == nil)
  }

  @Test("every flag is read")
  func flags() throws {
    let options = try Options([
      "--filter=a", "--filter", "b", "--json", "out.json", "--markdown", "m.md", "--html=h.html", "--update",
      "R.md",
      "--update=P.md",
      "--baseline",
      "b.json", "--samples=30", "--quick", "--check", "--pictures", "folder",
    ])
    #expect(options.filters == ["a", "b"] && options.json == "out.json" && options.markdown == "m.md")
    #expect(options.html == "h.html" && options.pages == ["R.md", "P.md"] && options.baseline == "b.json")
    #expect(options.mode.name == "quick" && options.mode.minimumSamples == 30 && options.isCheck)
    #expect(options.pictures == "folder")
    #expect(
      options.measuringArguments == [
        "--filter", "a", "--filter", "b", "--samples", "30", "--quick", "--check",
      ])
  }

  @Test("a flag of one program is unknown to the programs that do not declare it")
  func ownFlags() throws {
    let options = try Options(["--catalog", "c.json"], ownFlags: ["--catalog"])
    #expect(options.ownValues == ["--catalog": "c.json"])
    #expect(throws: UsageError.unknownFlag("--catalog")) { try Options(["--catalog", "c.json"]) }
  }

  @Test("--help takes precedence over --list, and --list over a run, in any order of the flags")
  func actions() throws {
    #expect(try Options(["--list", "--quick"]).action == .list)
    #expect(try Options(["--help", "--list"]).action == .help)
    #expect(try Options(["--list", "-h"]).action == .help)
  }

  @Test("the number of samples has to be at least 1", arguments: ["0", "-1", "many"])
  func samples(value: String) {
    #expect(
      throws: UsageError.invalidValue(flag: "--samples", value: value, expected: "a number of at least 1")
    ) {
      try Options(["--samples", value])
    }
  }

  @Test("the usage names every flag")
  func usage() {
    for flag in [
      "--quick", "--filter", "--list", "--json", "--catalog", "--help", "--markdown", "--html", "--update",
      "--baseline", "--check", "--samples", "--all", "--pictures",
    ] {
      #expect(Program.helpText.usage.contains("\n  \(flag) "))
    }
    let indentation = "\n" + String(repeating: " ", count: 20)
    #expect(Program.helpText.usage.contains(indentation + #"{"id": 1, "name": "#))
  }
}
