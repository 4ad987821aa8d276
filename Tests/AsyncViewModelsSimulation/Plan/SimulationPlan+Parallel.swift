import Dispatch
import Synchronization

extension SimulationPlan {
  /// Runs all seeds on several threads at the same time, up to the first failure.
  ///
  /// Each world has one thread of its own at a time, so the runs are the same as on one thread. The code under test must not share state
  /// between runs. If several seeds fail, the lowest one is reported, as on one thread. An exhaustive simulation uses one thread.
  ///
  /// - Parameters:
  ///   - threads: The number of threads. Not more than the cores of the machine are useful.
  ///   - continues: Called on the calling thread with the summary so far, several times in a second and before this function throws.
  ///     Returns `false` to end the simulation.
  /// - Throws: The failure, with its reduced run, or ``SimulationFailure/Reason/interrupted(runs:)`` if `continues`
  ///   ends the simulation before the last run.
  /// - Precondition: The number of threads is positive, and the thread does not run another simulation.
  /// - Important: Blocks the thread. Do not call it on a thread of the concurrency pool.
  public func run(
    onThreads threads: Int, continues: (SimulationSummary) -> Bool = { _ in true }
  ) throws(SimulationFailure) -> SimulationSummary {
    precondition(threads > 0, "SimulationPlan.run: the number of threads must be positive, but is \(threads)")
    if case .exhaustive = strategy { return try run(continues: continues) }
    guard threads > 1 else { return try run(continues: continues) }
    try checkSupport()
    let work = SeedQueue(seeds)
    let ended = DispatchSemaphore(value: 0)
    for _ in 1...threads {
      // A task, so that the worlds inherit the task-local values of the test.
      _ = Task(executorPreference: NewThreadExecutor()) {
        run(work)
        ended.signal()
      }
    }
    var running = threads
    while running > 0 {
      if ended.wait(timeout: .now() + .milliseconds(100)) == .success { running -= 1 }
      if !continues(work.summary) { work.stop() }
    }
    return try work.result(strategy: strategy)
  }

  private func run(_ work: SeedQueue) {
    do throws(SimulationFailure) {
      try usingThreads { plan throws(SimulationFailure) in
        while let part = work.next() {
          var statistics = SimulationStatistics()
          defer { work.add(statistics) }
          for seed in part where work.needs(seed) { try plan.run(seed, in: &statistics) }
        }
      }
    } catch { work.fail(error) }
  }
}

/// The seeds that several threads share, and what they have found.
private final class SeedQueue: Sendable {
  private struct State {
    var next: UInt64?
    var statistics = SimulationStatistics()
    var failure: SimulationFailure?
    var isStopped = false
  }

  private let seeds: ClosedRange<UInt64>
  private let state: Mutex<State>
  private static let partSize: UInt64 = 64

  init(_ seeds: ClosedRange<UInt64>) {
    self.seeds = seeds
    state = Mutex(State(next: seeds.lowerBound))
  }

  var summary: SimulationSummary { state.withLock(\.statistics.summary) }

  /// Takes the next seeds, or nil if there are none, or if a lower seed has failed.
  func next() -> ClosedRange<UInt64>? {
    state.withLock { state in
      guard let first = state.next, state.failure == nil, !state.isStopped else { return nil }
      let last = min(first.addingReportingOverflow(Self.partSize - 1), seeds.upperBound)
      state.next = last < seeds.upperBound ? last + 1 : nil
      return first...last
    }
  }

  /// Whether the result of a seed can matter: no lower seed has failed.
  func needs(_ seed: UInt64) -> Bool {
    state.withLock { state in !state.isStopped && state.failure?.seed.map { seed < $0 } ?? true }
  }

  func add(_ statistics: SimulationStatistics) { state.withLock { $0.statistics.add(statistics) } }

  func fail(_ failure: SimulationFailure) {
    state.withLock { state in
      guard let known = state.failure?.seed, let seed = failure.seed, known <= seed else {
        return state.failure = failure
      }
    }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  func result(strategy: SimulationStrategy) throws(SimulationFailure) -> SimulationSummary {
    let (summary, failure) = state.withLock { ($0.statistics.summary, $0.failure) }
    if let failure { throw failure }
    if UInt64(summary.runs) <= seeds.upperBound - seeds.lowerBound {
      throw SimulationFailure(
        reason: .interrupted(runs: summary.runs), seed: seeds.upperBound, strategy: strategy)
    }
    return summary
  }
}

private func min(_ sum: (partialValue: UInt64, overflow: Bool), _ limit: UInt64) -> UInt64 {
  sum.overflow ? limit : Swift.min(sum.partialValue, limit)
}
