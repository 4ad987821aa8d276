import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Shows on a terminal's standard error where a run stands, with its rate and the time left.
final class ProgressLine {
  private let scenarios: Int
  private let seeds: Int
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant
  private var scenario = 0
  private var runsOfFinished = 0
  private var latest = 0

  init(scenarios: Int, seeds: Int) {
    self.scenarios = scenarios
    self.seeds = seeds
    shown = start
  }

  func show(_ name: String, finished: Int, runs: Int) {
    if finished != scenario {
      runsOfFinished += latest
      scenario = finished
    }
    latest = runs
    let now = ContinuousClock.now
    guard isTerminal, shown.duration(to: now) > .milliseconds(100) else { return }
    shown = now
    let done = Double(runsOfFinished + runs)
    let rate = done / (start.duration(to: now) / .seconds(1))
    let left = Double((scenarios - finished) * seeds - runs) / max(rate, 1)
    let text =
      "[\(finished + 1)/\(scenarios)] \(name)  \(Int(rate).grouped)/s  \(Int(left.rounded(.up))) s left"
    Program.say("\r\(text.prefix(79))\u{1B}[K")
  }

  func clear() {
    if isTerminal { Program.say("\r\u{1B}[K") }
  }
}

extension Int {
  /// "12,345".
  var grouped: String {
    let digits = String(magnitude)
    let groups = stride(from: digits.count, to: 0, by: -3).map {
      digits.dropLast(digits.count - $0).suffix(3)
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}
