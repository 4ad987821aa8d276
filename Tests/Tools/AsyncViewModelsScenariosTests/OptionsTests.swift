import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation
import Testing

@testable import Simulation

@Suite("Simulation: the command line", .timeLimit(.minutes(5)))
struct OptionsTests {
  @Test("the flags for seeds, strategy, exhaustive runs and output files are read")
  func flags() throws {
    let options = try Options([
      "--seeds=7-9", "--strategy", "pct:4", "--json", "f", "--svg", "g",
    ])
    #expect(options.strategyName == "pct:4")
    #expect(try Options(["--exhaustive"]).strategyName == "exhaustive")
    #expect(options.seeds == 7...9)
    #expect(options.strategy == .prioritized(depth: 4))
    #expect(!options.isExhaustive && options.json == "f" && options.picture == "g")
    #expect(try Options(["--seeds", "5"]).seeds == 1...5)
    #expect(try Options(["--seeds", "0-\(UInt64.max)"]).seeds == 0...UInt64.max)
  }

  @Test("--verbose shows all steps of a failure, and the help says so")
  func verbose() throws {
    #expect(try Options(["--verbose"]).isVerbose)
    #expect(try !Options([]).isVerbose)
    #expect(Options.usage.contains("--verbose            show all steps of a failure"))
  }

  @Test("a replay takes a seed or a path")
  func replay() throws {
    #expect(try Options(["--replay", "12"]).seeds == 12...12)
    #expect(try Options(["--replay", "path:3=1"]).replayedPath == SimulationPath("path:3=1"))
    #expect(try Options(["--replay", "path:3=1"]).strategyName == "path:3=1")
  }

  @Test("a replay is one run and cannot be exhaustive", arguments: ["12", "path:3=1"])
  func exhaustiveReplay(value: String) {
    #expect(throws: UsageError.conflict(flag: "--exhaustive", other: "--replay")) {
      try Options(["--replay", value, "--exhaustive"])
    }
  }

  @Test("an exhaustive run has no other strategy, and the number of seeds limits its interleavings")
  func exhaustiveStrategy() throws {
    #expect(throws: UsageError.conflict(flag: "--exhaustive", other: "--strategy")) {
      try Options(["--strategy", "random", "--exhaustive"])
    }
    #expect(try Options(["--exhaustive", "--seeds", "5"]).seeds == 1...5)
    #expect(try Options(["--exhaustive"]).seeds == 1...1_000_000)
  }

  @Test("an exhaustive run selects scenarios of at most 3 tasks, and it is an error if there are none")
  func exhaustiveSelection() throws {
    let scenarios = [("a/small", 3), ("a/large", 4)].map { name, tasks in
      Scenario(name, "", tasks: tasks) { _ in }
    }
    #expect(try Options(["--exhaustive"]).selection(of: scenarios).map(\.name) == ["a/small"])
    let expected = "a scenario of at most 3 tasks with --exhaustive"
    #expect(throws: UsageError.invalidValue(flag: "--scenario", value: "a/large", expected: expected)) {
      try Options(["--exhaustive", "--scenario", "a/large"]).selection(of: scenarios)
    }
  }

  #if !canImport(Darwin)
    @Test("a run that interrupts code at locks skips scenarios that check single steps")
    func selectionAtLocks() throws {
      let options = try Options(["--locks"])
      #expect(options.interruptions == .atLocks)
      #expect(try Options([]).interruptions == .atSuspensions)
      let skipped = Scenario.all.filter(\.checksSteps)
      let selected = try options.selection(of: Scenario.all).map(\.name)
      #expect(skipped.count == 9 && selected.count == Scenario.all.count - 9)
      #expect(Set(selected).isDisjoint(with: skipped.map(\.name)))
      let expected = "a scenario that does not check single steps with --locks"
      #expect(
        throws: UsageError.invalidValue(
          flag: "--scenario", value: "screens/mirrored-state", expected: expected)
      ) {
        try Options(["--locks", "--scenario", "screens/mirrored-state"]).selection(of: Scenario.all)
      }
    }
  #endif

  @Test("--help takes precedence over --list")
  func actions() throws {
    #expect(try Options(["--help", "--list"]).action == .help)
    #expect(try Options(["--list"]).action == .list)
    #expect(try Options(["--list", "--patterns"]).action == .list)
    #expect(try Options(["--patterns", "--list"]).action == .list)
  }

  @Test("--patterns takes a number of seeds, and no flag of a scenario")
  func patterns() throws {
    let options = try Options(["--patterns", "--seeds", "500"])
    #expect(options.action == .patterns && options.seeds == 1...500)
    #expect(try Options(["--patterns"]).seeds == 1...20_000)
    let others = [
      "--replay=1", "--exhaustive", "--strategy=random", "--scenario=a", "--verbose", "--json=f", "--svg=f",
    ]
    for other in others {
      let flag = String(other.prefix { $0 != "=" })
      #expect(throws: UsageError.conflict(flag: "--patterns", other: flag)) {
        try Options([other, "--patterns"])
      }
    }
  }

  @Test(
    "an error names the unknown flag or the bad value",
    arguments: [
      ("--fast", "", nil), ("--seeds", "0", "a number of seeds or a range"),
      ("--seeds", "9-2", "a number of seeds or a range"), ("--seeds", "1-x", "a number of seeds or a range"),
      ("--strategy", "x", "the name of a strategy"), ("--replay", "x", "a seed or a path"),
    ])
  func errors(flag: String, value: String, expected: String?) {
    let error =
      expected.map { UsageError.invalidValue(flag: flag, value: value, expected: $0) } ?? .unknownFlag(flag)
    #expect(throws: error) { try Options([flag, value]) }
  }

  @Test("a scenario is selected by its name or by the beginning of its name")
  func selection() throws {
    #expect(try Options(["--scenario", "search/superseded"]).selection(of: Scenario.all).count == 1)
    #expect(throws: UsageError.nothingSelected(flag: "--scenario", value: "nothing")) {
      try Options(["--scenario", "nothing"]).selection(of: Scenario.all)
    }
  }
}
