import AsyncViewModelsBugPatterns
import AsyncViewModelsCommandLine
import AsyncViewModelsSimulation

/// The result of one bug pattern: whether the broken program fails as expected, and how fast the repaired one runs.
struct PatternResult {
  let pattern: BugPattern
  let hooks: RuntimeHooks
  /// The failure of the broken program.
  let found: SimulationFailure?
  let timeToFind: Duration
  /// Whether the path of the failure leads to a failure of the same kind.
  let replays: Bool
  /// The failure of the repaired program.
  let falseAlarm: SimulationFailure?
  /// The runs of the repaired program, and their time on a core.
  let runs: Int
  let duration: Duration
  /// Whether the user ended the pattern before its last run.
  let isInterrupted: Bool

  init(
    running pattern: BugPattern, seeds: ClosedRange<UInt64>, hooks: RuntimeHooks = .ofThisPlatform,
    continues: (Int) -> Bool
  ) {
    self.pattern = pattern
    self.hooks = hooks
    let search = Self.run(pattern.search(with: hooks), continues)
    found = search.failure
    timeToFind = search.duration
    replays = found.map { Self.replays($0, of: pattern, hooks) } ?? true
    let isRefused = if case .unsupported = search.failure?.reason { true } else { false }
    let start = ProcessorTime.now
    let check =
      search.isInterrupted || isRefused
      ? nil : Self.run(pattern.check(seeds: seeds, with: hooks), continues)
    falseAlarm = check?.failure
    runs = check?.runs ?? 0
    duration = ProcessorTime.now - start
    isInterrupted = check?.isInterrupted ?? search.isInterrupted
  }

  /// Whether the broken program failed as expected, its path replays, and the repaired program passed.
  var isAsExpected: Bool { expected.isMet(by: found?.reason) && replays && falseAlarm == nil }

  /// Whether a seed found the bug.
  var isFound: Bool { found.map { BugPattern.Kind($0.reason) != .refusal } ?? false }

  private var expected: BugPattern.Expectation { pattern.expected(with: hooks) }

  var seed: String { found?.seed.map { Int($0).grouped } ?? "–" }

  var rate: Int { Int(Double(runs) / max(duration / .seconds(1), 1e-9)) }

  /// The row of the table on the terminal, with the bug and the thread that reports it.
  var line: String {
    let milliseconds = Int((timeToFind / .milliseconds(1)).rounded(.up)).grouped
    let columns = [
      Self.padded(pattern.name, to: 36), Self.padded(seed, to: 6, atStart: true),
      Self.padded(found == nil ? "–" : "\(milliseconds) ms", to: 9, atStart: true),
      Self.padded("\(rate.grouped)/s", to: 11, atStart: true),
    ]
    return (isAsExpected ? "✓ " : "✗ ") + columns.joined(separator: " ") + "  " + outcome
      + "\n    \(pattern.summary): \(pattern.thread.url)"
  }

  /// The failures to show: an unexpected one of the broken program, and each of the repaired program.
  var unexpectedFailures: [SimulationFailure] {
    [expected.isMet(by: found?.reason) ? nil : found, falseAlarm].compactMap(\.self)
  }

  static let head =
    "  " + [padded("pattern", to: 36), "  seed", "    after", "   repaired"].joined(separator: " ")
    + "  result"

  private var outcome: String {
    if let found { return BugPattern.Kind(found.reason).rawValue }
    guard case .notFound(let reason) = expected else { return "not found" }
    return "not found: \(reason)"
  }

  private static func padded(_ text: String, to width: Int, atStart: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return atStart ? space + text : text + space
  }

  /// A thread that the seed does not control caused a refusal, so a replay need not meet it.
  private static func replays(
    _ failure: SimulationFailure, of pattern: BugPattern, _ hooks: RuntimeHooks
  ) -> Bool {
    let kind = BugPattern.Kind(failure.reason)
    guard kind != .refusal else { return true }
    do throws(SimulationFailure) {
      try pattern.search(with: hooks).replay(failure.path, survivesTraps: true)
      return false
    } catch { return BugPattern.Kind(error.reason) == kind }
  }

  private static func run(
    _ plan: SimulationPlan, _ continues: (Int) -> Bool
  ) -> (failure: SimulationFailure?, runs: Int, duration: Duration, isInterrupted: Bool) {
    let start = ContinuousClock.now
    var runs = 0
    do throws(SimulationFailure) {
      runs = try plan.run {
        runs = $0.runs
        return continues($0.runs)
      }.runs
      return (nil, runs, start.duration(to: .now), false)
    } catch {
      if case .interrupted = error.reason { return (nil, runs, start.duration(to: .now), true) }
      return (error, runs, start.duration(to: .now), false)
    }
  }
}
