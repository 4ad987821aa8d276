import AsyncViewModelsSimulation
import StorefrontServices

/// What the command line asks for.
struct Options: Equatable {
  /// What to do; with more than one wish, the first of this order wins.
  enum Action: Equatable {
    case help
    case list
    case simulate
  }

  var action = Action.simulate
  var seeds: ClosedRange<UInt64> = 1...20_000
  var strategy = SimulationStrategy.mixed
  /// Every interleaving of those scenarios that are small enough for it, in place of seeds and strategy.
  var isExhaustive = false
  /// The start of the names to choose, or a whole one.
  var scenario: String?
  var replayedPath: SimulationPath?
  var json: String?
  var picture: String?

  /// - Parameter arguments: without the program's name. `--flag value` and `--flag=value` mean the same; of a repeated flag the last
  ///   counts.
  /// - Throws: ``UsageError``, which names the argument.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else { throw .unexpectedArgument(argument) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try read(flag: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : nil, rest: &rest)
    }
  }

  func selection(of scenarios: [Scenario]) throws(UsageError) -> [Scenario] {
    guard let scenario else { return scenarios }
    if let exact = scenarios.first(where: { $0.name == scenario }) { return [exact] }
    let selected = scenarios.filter { $0.name.hasPrefix(scenario) }
    guard !selected.isEmpty else { throw .unknownScenario(scenario) }
    return selected
  }

  private mutating func read(flag: String, value: String?, rest: inout ArraySlice<String>) throws(UsageError)
  {
    func required() throws(UsageError) -> String {
      guard let value = value ?? rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
        throw .missingValue(flag: flag)
      }
      return value
    }
    switch flag {
    case "--seeds": seeds = try Self.seeds(try required())
    case "--scenario": scenario = try required()
    case "--strategy":
      let text = try required()
      guard let strategy = SimulationStrategy(text) else { throw .unknownStrategy(text) }
      self.strategy = strategy
    case "--exhaustive":
      if value != nil { throw .needlessValue(flag: flag) }
      isExhaustive = true
    case "--replay": try readReplay(try required())
    case "--json": json = try required()
    case "--svg": picture = try required()
    case "--list", "--help", "-h":
      if value != nil { throw .needlessValue(flag: flag) }
      if flag != "--list" { action = .help } else if action != .help { action = .list }
    default: throw .unknownFlag(flag)
    }
  }

  private mutating func readReplay(_ text: String) throws(UsageError) {
    if let path = SimulationPath(text) {
      replayedPath = path
    } else if let seed = UInt64(text) {
      seeds = seed...seed
    } else {
      throw .invalidReplay(text)
    }
  }

  private static func seeds(_ text: String) throws(UsageError) -> ClosedRange<UInt64> {
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    switch bounds.count {
    case 1: if let count = bounds[0], count > 0 { return 1...count }
    case 2: if let first = bounds[0], let last = bounds[1], first <= last { return first...last }
    default: break
    }
    throw .invalidSeeds(text)
  }

  static let usage = """
    USAGE: swift run -c release Simulation [OPTIONS]

    Runs the contracts of this package under many interleavings of their tasks. A failure prints its seed, and the seed leads to it again.

    OPTIONS:
      --seeds N            so many seeds for each scenario (20000); FIRST-LAST for a range
      --scenario NAME      only this one, or those whose names begin so
      --strategy STRATEGY  mixed (the default), random, pct[:DEPTH], exhaustive[:PREEMPTIONS]
      --exhaustive         every interleaving of two tasks, those of three with up to two pre-emptions, and no others
      --replay SEED|PATH   this seed again, or the interleaving that a failure printed
      --json FILE          write the results to FILE as well
      --svg FILE           draw the first failing run
      --list               print the scenarios, and stop
      --help               print this, and stop

    Exit codes: 0 everything held · 1 a scenario failed · 2 bad usage · 130 interrupted (Ctrl-C; what was done until then is printed).
    """
}
