import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    unsafe setenv(variable, "1", 1)
    // `execv` returns only if it fails. A seed may then lead to different runs, which the comparison of replays
    // reports.
    unsafe execv(path, CommandLine.unsafeArgv)
  }

  /// - Returns: The exit code.
  private static func run(_ arguments: [String]) -> Int32 {
    do {
      let options = try Options(arguments)
      switch options.action {
      case .help: print(Options.usage)
      case .list:
        for scenario in try options.selection(of: Scenario.all) {
          print("\(scenario.name)  \(scenario.summary)")
        }
      case .simulate: return try simulate(options)
      }
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: Options.usage)
    }
  }

  private static func simulate(_ options: Options) throws -> Int32 {
    var scenarios = try options.selection(of: Scenario.all)
    if options.isExhaustive { scenarios.removeAll { $0.tasks > 3 } }
    let json = try options.json.map { path in try OutputFile(path: path) }
    let picture = try options.picture.map { path in try OutputFile(path: path) }
    if let path = options.replayedPath { return try replay(path, of: scenarios, options, picture) }
    if BuildConfiguration.isDebug {
      writeToStandardError("A debug build is several times slower. Use swift run -c release Simulation.\n")
    }
    let stop = StopSignal()
    let interruption = Interruption(raising: stop)
    defer { interruption.cancel() }
    let progressLine = ProgressLine(interval: .milliseconds(100))
    var progress = SimulationProgress(scenarios: scenarios.count, seeds: options.seeds.count)
    var results: [ScenarioResult] = []
    for scenario in scenarios where !stop.isRaised {
      let result = ScenarioResult(running: scenario, options) { summary in
        progressLine.show(progress.line(scenario.name, runs: summary.runs), step: results.count)
        return !stop.isRaised
      }
      progressLine.clear()
      print(result.line)
      if let failure = result.failure {
        print("\n\(failure)\n\nreplay it: \(replayCommand(failure, scenario))\n")
      }
      results.append(result)
      progress.finish(runs: result.summary.runs)
    }
    let report = Report(
      strategy: options.strategy, isInterrupted: stop.isRaised, results: results, planned: scenarios.count)
    print(report.text)
    try json?.write(report.json())
    if let failure = results.lazy.compactMap(\.failure).first { try picture?.write(failure.picture) }
    if report.isInterrupted { return ExitCode.interrupted }
    return report.hasFailures ? ExitCode.failure : ExitCode.success
  }

  private static func replay(
    _ path: SimulationPath, of scenarios: [Scenario], _ options: Options, _ picture: OutputFile?
  ) throws -> Int32 {
    guard scenarios.count == 1 else {
      throw UsageError.invalidValue(
        flag: "--replay", value: "\(path)",
        expected: "a seed, unless --scenario selects one scenario")
    }
    do {
      try scenarios[0].plan(options).replay(path)
      print("\(scenarios[0].name): this interleaving holds")
      return ExitCode.success
    } catch {
      print("\(scenarios[0].name): \(error)")
      try picture?.write(error.picture)
      return ExitCode.failure
    }
  }

  private static func replayCommand(_ failure: SimulationFailure, _ scenario: Scenario) -> String {
    "swift run -c release Simulation --scenario '\(scenario.name)' --replay '\(failure.path)'"
  }
}
