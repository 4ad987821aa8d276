import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation

/// The options of the command line.
struct Options: Equatable {
  /// What to do. If the command line asks for several actions, the one that is listed first here wins.
  enum Action: Equatable {
    case help
    case list
    case patterns
    case simulate
  }

  private(set) var action = Action.simulate
  private var givenSeeds: ClosedRange<UInt64>?
  private var givenStrategy: SimulationStrategy?
  /// Whether to try every interleaving of the small scenarios, instead of seeds and a strategy.
  private(set) var isExhaustive = false
  /// The number of threads that run seeds at the same time.
  private(set) var threads = 1
  /// Whether code is also interrupted at locks.
  private(set) var interruptsAtLocks = false
  /// What the worlds see of the process: all hooks, or only those that Apple's runtime has.
  private(set) var hooks = RuntimeHooks.ofThisPlatform
  private(set) var replayedPath: SimulationPath?
  private static let (replay, exhaustive, strategy) = ("--replay", "--exhaustive", "--strategy")
  private static let locks = "--locks"
  static let verbose = "--verbose"
  private static let patterns = "--patterns"
  private static let apple = "--apple"
  /// The flags that select or show scenarios.
  private static let scenarioFlags: Set = [
    replay, exhaustive, strategy, locks, verbose, "--scenario", "--json", "--svg",
  ]
  /// The number of tasks up to which a scenario is small enough for `--exhaustive`.
  private static let smallTaskCount = 3
  /// The path of the file for the results.
  private(set) var json: String?
  /// Whether a failure shows all steps, and not only those of the storefront and the scenario.
  private(set) var isVerbose = false
  /// The path of the file for a drawing of the first failure.
  private(set) var picture: String?
  /// The name of a scenario, or the beginning of several names.
  private var scenario: String?

  /// - Parameter arguments: The arguments without the program's name.
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError``, which names the argument.
  init(_ arguments: [String]) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var isReplay = false
    var flags: [String] = []
    while let flag = try reader.nextFlag() {
      flags.append(flag)
      switch flag {
      case "--seeds": givenSeeds = try reader.value("a number of seeds or a range", Self.seeds)
      case "--scenario": scenario = try reader.value()
      case Self.strategy:
        givenStrategy = try reader.value("the name of a strategy") { SimulationStrategy($0) }
      case Self.exhaustive: isExhaustive = true
      case Self.locks: interruptsAtLocks = true
      case Self.verbose: isVerbose = true
      case "--threads":
        threads = try reader.value("a positive number of threads") { Int($0).flatMap { $0 > 0 ? $0 : nil } }
      case Self.replay:
        isReplay = true
        let text = try reader.value()
        replayedPath = SimulationPath(text)
        if replayedPath == nil {
          guard let seed = UInt64(text) else {
            throw .invalidValue(flag: flag, value: text, expected: "a seed or a path")
          }
          givenSeeds = seed...seed
        }
      case "--json": json = try reader.value()
      case "--svg": picture = try reader.value()
      case Self.patterns: if action == .simulate { action = .patterns }
      case Self.apple: hooks = .apple
      case "--list": if action != .help { action = .list }
      case "--help", "-h": action = .help
      default: throw .unknownFlag(flag)
      }
    }
    if flags.contains(Self.patterns) {
      for other in flags where Self.scenarioFlags.contains(other) {
        throw .conflict(flag: Self.patterns, other: other)
      }
    }
    if flags.contains(Self.apple), !flags.contains(Self.patterns) {
      throw .missingFlag(Self.patterns, for: Self.apple)
    }
    if isReplay, isExhaustive { throw .conflict(flag: Self.exhaustive, other: Self.replay) }
    if givenStrategy != nil, isExhaustive { throw .conflict(flag: Self.exhaustive, other: Self.strategy) }
  }

  /// The seeds for each scenario. In an exhaustive run, the number of seeds limits the number of
  /// interleavings.
  var seeds: ClosedRange<UInt64> { givenSeeds ?? (isExhaustive ? 1...1_000_000 : 1...20_000) }

  var strategy: SimulationStrategy { givenStrategy ?? .mixed }

  /// Where a world interrupts code.
  var interruptions: Interruptions {
    #if canImport(Darwin)
      .atSuspensions
    #else
      interruptsAtLocks ? .atLocks : .atSuspensions
    #endif
  }

  /// The name of the strategy, for the results.
  var strategyName: String {
    replayedPath.map { "\($0)" } ?? (isExhaustive ? "exhaustive" : "\(strategy)")
  }

  /// Returns the scenarios that `--scenario` selects: the one with the given name, or else all whose names
  /// begin with the given text. Without `--scenario`, returns all scenarios. An exhaustive run skips the
  /// large scenarios, and a run that interrupts code at locks skips those that check single steps.
  ///
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError`` if no scenario remains.
  func selection(of scenarios: [Scenario]) throws(UsageError) -> [Scenario] {
    var selected = try named(scenarios)
    if isExhaustive {
      selected = try remaining(
        selected.filter { $0.tasks <= Self.smallTaskCount },
        "a scenario of at most \(Self.smallTaskCount) tasks with \(Self.exhaustive)")
    }
    if interruptsAtLocks {
      selected = try remaining(
        selected.filter { !$0.checksSteps }, "a scenario that does not check single steps with \(Self.locks)")
    }
    return selected
  }

  private func remaining(_ scenarios: [Scenario], _ expected: String) throws(UsageError) -> [Scenario] {
    guard scenarios.isEmpty else { return scenarios }
    throw .invalidValue(flag: "--scenario", value: scenario ?? "", expected: expected)
  }

  private func named(_ scenarios: [Scenario]) throws(UsageError) -> [Scenario] {
    guard let scenario else { return scenarios }
    if let exact = scenarios.first(where: { $0.name == scenario }) { return [exact] }
    let selected = scenarios.filter { $0.name.hasPrefix(scenario) }
    guard !selected.isEmpty else { throw .nothingSelected(flag: "--scenario", value: scenario) }
    return selected
  }

  private static func seeds(_ text: String) -> ClosedRange<UInt64>? {
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { UInt64($0) }
    switch (bounds.count, text.count { $0 == "-" }) {
    case (1, 0) where bounds[0] > 0: return 1...bounds[0]
    case (2, 1) where bounds[0] <= bounds[1]: return bounds[0]...bounds[1]
    default: return nil
    }
  }

  static let usage = """
    USAGE: swift run -c release --package-path Tests/Tools Simulation [OPTIONS]

    Runs the contracts of this package under many interleavings of their tasks. A failure prints its seed, which leads to
    the failure again.

    OPTIONS:
      --seeds N            use N seeds for each scenario (20000), or a range FIRST-LAST; with --exhaustive, the number
                           of interleavings at which a scenario fails as too large (1000000)
      --scenario NAME      run only this scenario, or those whose names begin with NAME
      --strategy STRATEGY  mixed (the default), random, pct[:DEPTH], exhaustive[:PREEMPTIONS]
      --exhaustive         run every interleaving of two tasks, and of three tasks with up to two preemptions; skip
                           larger scenarios
      --locks              also interrupt code at locks, resumptions and, in a build that sees them, atomic operations; skip
                           scenarios that check single steps
      --threads N          run the seeds on N threads at the same time (1); an exhaustive run uses one
      --replay SEED|PATH   run this seed again, or the interleaving that a failure printed
      --verbose            show all steps of a failure, also those in library code
      --json FILE          write the results to FILE, with all steps of a failure
      --svg FILE           draw the first failing run
      --list               print the scenarios and exit
      --patterns           instead of scenarios, look for each known bug pattern, and run its repaired program with N seeds
      --apple              with --patterns, use only the hooks that Apple's runtime has
      --help               print this help and exit

    Exit codes: 0 everything held · 1 a scenario failed, a pattern is not as expected, or the results cannot be printed ·
    2 bad usage · 130 interrupted (Ctrl-C), after the results so far are printed.
    """
}
