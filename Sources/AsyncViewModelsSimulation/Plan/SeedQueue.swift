import Synchronization

/// The seeds that the threads of a simulation share, and what they have found.
final class SeedQueue: Sendable {
  private struct State {
    var next: UInt64?
    var statistics = SimulationStatistics()
    var failure: SimulationFailure?
    var isStopped = false
    var asks = false
  }

  private let seeds: ClosedRange<UInt64>
  private let state: Mutex<State>
  private static let partSize: UInt64 = 64

  init(_ seeds: ClosedRange<UInt64>) {
    self.seeds = seeds
    state = Mutex(State(next: seeds.lowerBound))
  }

  var summary: SimulationSummary { state.withLock(\.statistics.summary) }

  var isStopped: Bool { state.withLock(\.isStopped) }

  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Whether the statistics so far are asked for.
  var asks: Bool { state.withLock(\.asks) }

  func ask() { state.withLock { $0.asks = true } }

  /// Takes the next seeds, or nil if there are none, or if a lower seed has failed.
  func next() -> ClosedRange<UInt64>? {
    state.withLock { state in
      guard let first = state.next, state.failure == nil, !state.isStopped else { return nil }
      let isLast = seeds.upperBound - first < Self.partSize
      let last = isLast ? seeds.upperBound : first + Self.partSize - 1
      state.next = isLast ? nil : last + 1
      return first...last
    }
  }

  /// Whether the result of a seed can matter: no lower seed has failed.
  func needs(_ seed: UInt64) -> Bool {
    state.withLock { state in !state.isStopped && state.failure?.seed.map { seed < $0 } ?? true }
  }

  func add(_ statistics: SimulationStatistics) {
    state.withLock { state in
      state.statistics.add(statistics)
      state.asks = false
    }
  }

  func fail(_ failure: SimulationFailure) {
    state.withLock { state in
      guard let known = state.failure?.seed, let seed = failure.seed, known <= seed else {
        return state.failure = failure
      }
    }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  func result(
    isExploration: Bool, strategy: SimulationStrategy
  ) throws(SimulationFailure) -> SimulationSummary {
    let (statistics, failure) = state.withLock { ($0.statistics, $0.failure) }
    if let failure { throw failure }
    let summary = statistics.summary
    let isComplete =
      isExploration ? statistics.isComplete : UInt64(summary.runs) > seeds.upperBound - seeds.lowerBound
    guard isComplete else {
      throw SimulationFailure(
        reason: .interrupted(runs: summary.runs), seed: seeds.upperBound, strategy: strategy)
    }
    return summary
  }
}
