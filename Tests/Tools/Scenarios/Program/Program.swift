import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation
import Foundation

/// Runs scenarios as the command line asks.
@main
enum Program {
  static func main() {
    restartWithStableHashing()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Restarts the process with deterministic hashing. Otherwise the order of sets and dictionaries differs between
  /// processes, and a seed does not lead to the same run in each process.
  private static func restartWithStableHashing() {
    let variable = "SWIFT_DETERMINISTIC_HASHING"
    guard ProcessInfo.processInfo.environment[variable] == nil, let path = Bundle.main.executablePath else {
      return
    }
    // Without a restart, a seed may lead to different runs, which the comparison of replays reports. `execv` returns
    // only if it fails. tvOS and watchOS do not have it.
    #if !os(tvOS) && !os(watchOS)
      unsafe setenv(variable, "1", 1)
      unsafe execv(path, CommandLine.unsafeArgv)
    #endif
  }

  /// - Returns: The exit code.
  private static func run(_ arguments: [String]) -> Int32 {
    do {
      try requireStandardOutput()
      let options = try Options(arguments)
      switch options.action {
      case .help: try writeToStandardOutput(Options.usage)
      case .list:
        let lines = try options.selection(of: Scenario.all).map { "\($0.name)  \($0.summary)" }
        try writeToStandardOutput(lines.joined(separator: "\n"))
      case .patterns: return try PatternProgram.run(options)
      case .simulate: return try simulate(options)
      }
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: Options.usage)
    }
  }

  private static func simulate(_ options: Options) throws -> Int32 {
    let scenarios = try options.selection(of: Scenario.all)
    try OutputFile.requireDifferent([("--json", options.json), ("--svg", options.picture)])
    let json = try options.json.map { path in try OutputFile(path: path) }
    let picture = try options.picture.map { path in try OutputFile(path: path) }
    let report =
      if let path = options.replayedPath { try replay(path, of: scenarios, options) } else {
        try run(scenarios, options)
      }
    try json?.write(report.json())
    if let failure = report.results.lazy.compactMap(\.failure).first { try picture?.write(failure.picture) }
    if report.isInterrupted { return ExitCode.interrupted }
    return report.hasFailures ? ExitCode.failure : ExitCode.success
  }

  private static func run(_ scenarios: [Scenario], _ options: Options) throws -> Report {
    if BuildConfiguration.isDebug {
      writeToStandardError("A debug build is several times slower. Use swift run -c release.\n")
    }
    let stop = StopSignal()
    let interruption = Interruption(raising: stop)
    defer { interruption.cancel() }
    let progressLine = ProgressLine(interval: .milliseconds(100))
    var progress = SimulationProgress(
      scenarios: scenarios.count, seeds: options.isExhaustive ? nil : options.seeds)
    var results: [ScenarioResult] = []
    for scenario in scenarios where !stop.isRaised {
      let result = ScenarioResult(running: scenario, options) { summary in
        progressLine.show(progress.line(scenario.name, runs: summary.runs), step: results.count)
        return !stop.isRaised
      }
      progressLine.clear()
      try writeToStandardOutput(result.line)
      if let failure = result.failure {
        try writeToStandardOutput("\n\(text(of: failure, scenario, options))\n")
      }
      results.append(result)
      progress.finish(runs: result.runs)
    }
    let report = Report(
      strategy: options.strategyName, isInterrupted: stop.isRaised, results: results,
      planned: scenarios.count)
    try writeToStandardOutput(report.text)
    return report
  }

  private static func replay(
    _ path: SimulationPath, of scenarios: [Scenario], _ options: Options
  ) throws -> Report {
    guard scenarios.count == 1 else {
      throw UsageError.invalidValue(
        flag: "--replay", value: "\(path)",
        expected: "a seed, unless --scenario selects one scenario")
    }
    let result = ScenarioResult(replaying: path, scenarios[0], options)
    try writeToStandardOutput(
      "\(scenarios[0].name): "
        + (result.failure.map { text(of: $0, scenarios[0], options) } ?? "this interleaving holds"))
    return Report(strategy: options.strategyName, isInterrupted: false, results: [result], planned: 1)
  }

  private static func text(
    of failure: SimulationFailure, _ scenario: Scenario, _ options: Options
  ) -> String {
    failure.report(
      isVerbose: options.isVerbose,
      replay: "swift run -c release --package-path Tests/Tools Simulation --scenario '\(scenario.name)'"
        + " --replay '\(failure.path)'",
      verbose: Options.verbose)
  }
}
