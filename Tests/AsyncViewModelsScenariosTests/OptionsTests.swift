import Testing

@testable import AsyncViewModelsScenarios
@testable import AsyncViewModelsSimulation

@Suite("Simulation: the command line", .timeLimit(.minutes(1)))
struct OptionsTests {
  @Test("flags are read in both forms, and the last one counts")
  func flags() throws {
    let options = try Options([
      "--seeds", "5", "--seeds=7-9", "--strategy", "pct:4", "--scenario=a/b", "--json", "f",
    ])
    #expect(options.seeds == 7...9)
    #expect(options.strategy == .prioritised(depth: 4))
    #expect(options.scenario == "a/b")
    #expect(options.json == "f")
  }

  @Test("a replay takes a seed or a path")
  func replay() throws {
    #expect(try Options(["--replay", "12"]).seeds == 12...12)
    #expect(try Options(["--replay", "path:3=1"]).replayedPath == SimulationPath("path:3=1"))
  }

  @Test("help wins over the list")
  func actions() throws {
    #expect(try Options(["--help", "--list"]).action == .help)
    #expect(try Options(["--list"]).action == .list)
  }

  @Test(
    "what cannot be read is named",
    arguments: [
      (["--fast"], UsageError.unknownFlag("--fast")), (["x"], .unexpectedArgument("x")),
      (["--seeds"], .missingValue(flag: "--seeds")), (["--seeds", "0"], .invalidSeeds("0")),
      (["--seeds", "9-2"], .invalidSeeds("9-2")), (["--list=1"], .needlessValue(flag: "--list")),
      (["--strategy", "x"], .unknownStrategy("x")), (["--replay", "x"], .invalidReplay("x")),
    ])
  func errors(arguments: [String], error: UsageError) { #expect(throws: error) { try Options(arguments) } }

  @Test("a scenario is chosen by its name or by how it begins")
  func selection() throws {
    #expect(try Options(["--scenario", "search/superseded"]).selection(of: Scenario.all).count == 1)
    #expect(throws: UsageError.unknownScenario("nothing")) {
      try Options(["--scenario", "nothing"]).selection(of: Scenario.all)
    }
  }
}
