import Synchronization

/// The parameters of a simulation: a body, its seeds and the strategy.
///
/// Tests call ``simulate(seeds:strategy:queues:stepLimit:_:)`` instead. Use a plan in a program that controls the
/// thread and the progress of a simulation.
public struct SimulationPlan: Sendable {
  /// The seeds, one for each run.
  public var seeds: ClosedRange<UInt64>
  /// The strategy that chooses the next job.
  public var strategy: SimulationStrategy
  /// Who runs the blocks of dispatch queues.
  public var queues: QueueScheduling
  /// The number of steps after which a run fails as a livelock.
  public var stepLimit: Int
  /// The code to simulate.
  public var body: @Sendable (SimulatedWorld) async throws -> Void
  /// Whether the tasks that a world starts prefer an executor of the world.
  ///
  /// Only Apple platforms need this, to capture `Task.yield()`. Tests also set it on other platforms.
  package var prefersTaskExecutor = Self.needsTaskExecutor

  #if canImport(Darwin)
    private static let needsTaskExecutor = true
  #else
    private static let needsTaskExecutor = false
  #endif

  /// Creates a plan.
  ///
  /// - Precondition: `stepLimit` is positive.
  public init(
    seeds: ClosedRange<UInt64> = 1...1_000, strategy: SimulationStrategy = .mixed,
    queues: QueueScheduling = .real, stepLimit: Int = 10_000,
    body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) {
    precondition(stepLimit > 0, "SimulationPlan: the step limit must be positive, but is \(stepLimit)")
    self.seeds = seeds
    self.strategy = strategy
    self.queues = queues
    self.stepLimit = stepLimit
    self.body = body
  }

  /// Runs all seeds on the current thread, up to the first failure.
  ///
  /// - Parameter continues: Called with the summary so far, after every 256 runs and before this function throws.
  ///   Returns `false` to end the simulation.
  /// - Throws: The failure, with its reduced run, or ``SimulationFailure/Reason/interrupted(runs:)`` if `continues`
  ///   ends the simulation before the last run.
  /// - Precondition: The thread does not run another simulation.
  /// - Important: Blocks the thread. Do not call it on a thread of the concurrency pool.
  public func run(
    continues: (SimulationSummary) -> Bool = { _ in true }
  ) throws(SimulationFailure) -> SimulationSummary {
    var summary = SimulationSummary()
    do throws(SimulationFailure) { try run(into: &summary, continues) } catch {
      if case .interrupted = error.reason {} else { _ = continues(summary) }
      throw error
    }
    return summary
  }

  private func run(
    into summary: inout SimulationSummary, _ continues: (SimulationSummary) -> Bool
  ) throws(SimulationFailure) {
    try checkSupport()
    var schedules: Set<UInt64> = []
    var exploration = strategy.exploration
    for seed in seeds {
      let path = exploration?.path
      func chooser() -> any Chooser { path.map { PathChooser($0) } ?? strategy.chooser(seed: seed) }
      let core = run(chooser())
      summary.runs += 1
      summary.choices += core.choices.count
      summary.steps += core.steps
      if schedules.insert(core.hash.value).inserted { summary.distinctSchedules += 1 }
      if let reason = core.reason { throw failure(reason, in: core, seed: seed) }
      if seed == seeds.lowerBound || seed.isMultiple(of: 1_000) {
        try compare(core, with: run(chooser()), seed: seed)
        summary.replaysCompared += 1
      }
      if exploration?.advance(after: core.choices) == false {
        summary.isExhaustive = true
        return
      }
      if summary.runs.isMultiple(of: 256), !continues(summary), seed < seeds.upperBound {
        throw SimulationFailure(reason: .interrupted(runs: summary.runs), seed: seed, strategy: strategy)
      }
    }
    if exploration != nil {
      throw SimulationFailure(
        reason: .notExhausted(runs: summary.runs), seed: seeds.upperBound, strategy: strategy)
    }
  }

  /// Replays one interleaving.
  ///
  /// - Throws: The failure of the run, which is not reduced.
  public func replay(_ path: SimulationPath) throws(SimulationFailure) {
    try checkSupport()
    let core = run(PathChooser(path.choices), omitted: path.omitted, records: true)
    if let reason = core.reason {
      throw SimulationFailure(reason: reason, core: core, seed: nil, plan: self, omitted: path.omitted)
    }
  }

  /// Runs the body, and repeats a run that the system delayed. The number of repetitions is limited, because
  /// the cause may be a slow body.
  private func run(
    _ chooser: @autoclosure () -> any Chooser, omitted: Set<Int> = [], records: Bool = false,
    patience: Int = 300
  ) -> SimulatedWorldCore {
    var core = runOnce(chooser(), omitted: omitted, records: records, patience: patience)
    for _ in 0..<Self.repetitions where core.wasHeldUp {
      core = runOnce(chooser(), omitted: omitted, records: records, patience: patience)
    }
    return core
  }

  private static let repetitions = 4

  private func runOnce(
    _ chooser: any Chooser, omitted: Set<Int>, records: Bool, patience: Int
  ) -> SimulatedWorldCore {
    let limits = SimulatedWorldCore.Limits(steps: stepLimit, patience: patience)
    let core = SimulatedWorldCore(
      chooser: chooser, omitted: omitted, limits: limits, queueScheduling: queues,
      prefersTaskExecutor: prefersTaskExecutor, records: records)
    let world = SimulatedWorld(core: core)
    core.run { [body] in try await body(world) }
    core.end()
    return core
  }

  private func checkSupport() throws(SimulationFailure) {
    guard let obstacle = JobCapture.obstacle else { return }
    throw SimulationFailure(reason: .unsupported(obstacle), seed: seeds.lowerBound, strategy: strategy)
  }

  private func compare(
    _ first: SimulatedWorldCore, with second: SimulatedWorldCore, seed: UInt64
  ) throws(SimulationFailure) {
    // Whether a run detects an event outside the world depends on another thread. Perhaps only the second run
    // detects it.
    if let reason = second.reason, reason.isOutside {
      throw failure(reason, in: second, seed: seed)
    }
    guard first.hash != second.hash || second.reason != nil else { return }
    throw SimulationFailure(
      reason: .notReproducible(first: first.hash.value, second: second.hash.value), seed: seed,
      strategy: strategy)
  }

  private func failure(
    _ reason: SimulationFailure.Reason, in core: SimulatedWorldCore, seed: UInt64
  ) -> SimulationFailure {
    let path = SimulationPath(choices: core.choices.map(\.chosen))
    let again = run(PathChooser(path.choices), records: true)
    // No seed controls an event outside the world, so a run with such an event cannot be compared or reduced.
    // The reduction of a run that records issues without a test would record the issues again.
    if reason.isOutside || core.recordsIssues {
      return SimulationFailure(reason: reason, core: again, seed: seed, plan: self)
    }
    guard again.reason?.kind == reason.kind else {
      return SimulationFailure(
        reason: .notReproducible(first: core.hash.value, second: again.hash.value), seed: seed,
        strategy: strategy)
    }
    var shrinking = Shrinking(reason: reason, core: again) {
      run(PathChooser($0.choices), omitted: $0.omitted)
    }
    let smallest = shrinking.smallest()
    let shown = run(PathChooser(smallest.choices), omitted: smallest.omitted, records: true, patience: 0)
    return SimulationFailure(
      reason: shown.reason ?? reason, core: shown, seed: seed, plan: self, original: path,
      omitted: smallest.omitted)
  }
}

extension SimulationFailure.Reason {
  /// Whether the failure depends on a thread outside the world.
  fileprivate var isOutside: Bool {
    switch self {
    case .leftTheWorld, .expectationOutside: true
    default: false
    }
  }
}

extension SimulationStrategy {
  fileprivate var exploration: Exploration? {
    if case .exhaustive(let preemptions) = self { Exploration(preemptions: preemptions) } else { nil }
  }
}

extension SimulationFailure {
  /// A failure without a run to show.
  init(reason: Reason, seed: UInt64, strategy: SimulationStrategy) {
    self.init(
      reason: reason, seed: seed, strategy: strategy, path: SimulationPath(choices: []), originalTurns: 0,
      timeline: [], picture: "")
  }

  init(
    reason: Reason, core: SimulatedWorldCore, seed: UInt64?, plan: SimulationPlan,
    original: SimulationPath? = nil,
    omitted: Set<Int> = []
  ) {
    let path = SimulationPath(choices: core.choices.map(\.chosen), omitted: omitted)
    var timeline = core.timeline ?? Timeline()
    if case .livelock = reason { timeline = timeline.showingCycleOnce }
    self.init(
      reason: reason, seed: seed, strategy: plan.strategy, path: path,
      originalTurns: (original ?? path).turns,
      timeline: TimelineText(name: core.name).lines(of: timeline),
      picture: TimelinePicture(name: core.name).svg(of: timeline))
  }
}
