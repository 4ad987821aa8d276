import AsyncViewModelsSimulation
import Foundation
import StorefrontServices

/// From the command line to the exit code.
enum Program {
  static func run(_ arguments: [String]) -> Int32 {
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
      return 0
    } catch let error as UsageError {
      say("error: \(error)\n\n\(Options.usage)\n")
      return 2
    } catch {
      say("error: \(error)\n")
      return 1
    }
  }

  private static func simulate(_ options: Options) throws -> Int32 {
    var scenarios = try options.selection(of: Scenario.all)
    if options.isExhaustive { scenarios.removeAll { $0.tasks > 3 } }
    if let path = options.replayedPath { return try replay(path, of: scenarios, options) }
    if isDebugBuild { say("A debug build: several times slower. Use swift run -c release Simulation.\n") }
    let interruption = Interruption()
    let progress = ProgressLine(scenarios: scenarios.count, seeds: options.seeds.count)
    var results: [ScenarioResult] = []
    for (index, scenario) in scenarios.enumerated() where !interruption.isRaised {
      let result = ScenarioResult(running: scenario, options) { summary in
        progress.show(scenario.name, finished: index, runs: summary.runs)
        return !interruption.isRaised
      }
      progress.clear()
      print(result.line)
      if let failure = result.failure {
        print("\n\(failure)\n\nsee it again: \(replayCommand(failure, scenario))\n")
      }
      results.append(result)
    }
    let report = Report(
      strategy: options.strategy, isInterrupted: interruption.isRaised, results: results,
      planned: scenarios.count)
    print(report.text)
    if let json = options.json { try report.json().write(to: URL(fileURLWithPath: json)) }
    if let picture = options.picture, let failure = results.firstNonNil(\.failure) {
      try Data(failure.picture.utf8).write(to: URL(fileURLWithPath: picture))
    }
    return report.isInterrupted ? 130 : report.hasFailures ? 1 : 0
  }

  private static func replay(
    _ path: SimulationPath, of scenarios: [Scenario], _ options: Options
  ) throws -> Int32 {
    guard scenarios.count == 1 else { throw UsageError.ambiguousReplay(scenarios.map(\.name)) }
    do {
      try scenarios[0].plan(options).replay(path)
      print("\(scenarios[0].name): this interleaving holds")
      return 0
    } catch {
      print("\(scenarios[0].name): \(error)")
      if let picture = options.picture {
        try Data(error.picture.utf8).write(to: URL(fileURLWithPath: picture))
      }
      return 1
    }
  }

  private static func replayCommand(_ failure: SimulationFailure, _ scenario: Scenario) -> String {
    "swift run -c release Simulation --scenario '\(scenario.name)' --replay '\(failure.path)'"
  }

  static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  private static var isDebugBuild: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return isDebug
  }
}

extension Sequence {
  func firstNonNil<Value>(_ transform: (Element) -> Value?) -> Value? {
    for element in self { if let value = transform(element) { return value } }
    return nil
  }
}
