import AsyncViewModelsBugPatterns
import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation
import Foundation

/// The `--patterns` action: looks for each bug pattern, and runs its repaired program.
enum PatternProgram {
  /// - Returns: The exit code.
  static func run(_ options: Options) throws -> Int32 {
    if BuildConfiguration.isDebug {
      writeToStandardError("A debug build is several times slower. Use swift run -c release.\n")
    }
    let stop = StopSignal()
    let interruption = Interruption(raising: stop)
    defer { interruption.cancel() }
    let progressLine = ProgressLine(interval: .milliseconds(100))
    var results: [PatternResult] = []
    try writeToStandardOutput(PatternResult.head)
    for pattern in BugPattern.all(with: options.hooks) where !stop.isRaised {
      let result = PatternResult(running: pattern, seeds: options.seeds, hooks: options.hooks) { runs in
        progressLine.show("\(pattern.name)  \(runs.grouped)", step: results.count)
        return !stop.isRaised
      }
      progressLine.clear()
      guard !result.isInterrupted else { break }
      try writeToStandardOutput(result.line)
      for failure in result.unexpectedFailures { try writeToStandardOutput("\n\(failure)\n") }
      results.append(result)
    }
    try writeToStandardOutput("\n" + summary(of: results, isInterrupted: stop.isRaised))
    if stop.isRaised { return ExitCode.interrupted }
    return results.allSatisfy(\.isAsExpected) ? ExitCode.success : ExitCode.failure
  }

  static func summary(of results: [PatternResult], isInterrupted: Bool) -> String {
    let kinds = results.map { $0.found.map { BugPattern.Kind($0.reason) } }
    let missed = kinds.count { $0 == nil }
    let refused = kinds.count { $0 == .refusal }
    let unexpected = results.filter { !$0.isAsExpected }.map(\.pattern.name)
    return """
      \(results.count)\(isInterrupted ? " of \(BugPattern.all.count), interrupted" : "") patterns: \
      \(results.count - missed - refused) found, \(refused) refused, \(missed) not found, \
      \(results.count { $0.falseAlarm != nil }) false alarms; \
      \(unexpected.isEmpty ? "all as expected" : "not as expected: \(unexpected.joined(separator: ", "))")
      found: \(foundByTheme(results))\(slowest(of: results))
      """
  }

  /// How many patterns of each theme were found.
  private static func foundByTheme(_ results: [PatternResult]) -> String {
    var themes: [Substring] = []
    for theme in results.map(\.pattern.theme) where themes.last != theme { themes.append(theme) }
    return themes.map { theme in
      let results = results.filter { $0.pattern.theme == theme }
      return "\(theme) \(results.count(where: \.isFound)) of \(results.count)"
    }.joined(separator: ", ")
  }

  private static func slowest(of results: [PatternResult]) -> String {
    let found = results.filter(\.isFound)
    guard let slowest = found.max(by: { $0.timeToFind < $1.timeToFind }) else { return "" }
    let fast = found.count { $0.timeToFind <= .seconds(2) }
    return """
      \nfound and reduced within 2 seconds: \(fast) of \(found.count); the slowest, \(slowest.pattern.name), in \
      \(Int((slowest.timeToFind / .milliseconds(1)).rounded(.up)).grouped) ms
      """
  }
}
