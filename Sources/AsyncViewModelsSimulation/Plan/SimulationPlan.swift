/// The parameters of a simulation, for a program that controls the thread and the progress.
package struct SimulationPlan: Sendable {
  /// The seeds, one for each run.
  package var seeds: ClosedRange<UInt64>
  /// The strategy that chooses the next job.
  package var strategy: SimulationStrategy
  /// Who runs the blocks of dispatch queues.
  package var queues: QueueScheduling
  /// Where a world can interrupt code.
  package var interruptions: Interruptions
  /// The longest distance between two deadlines that may come at the same time.
  package var timerTolerance: Duration
  /// The number of steps after which a run fails as a livelock.
  package var stepLimit: Int
  /// The code to simulate.
  package var body: @Sendable (SimulatedWorld) async throws -> Void
  /// What the worlds see of the process. Tests on Linux set it to `apple`.
  package var hooks = RuntimeHooks.ofThisPlatform

  /// The threads of the worlds while the plan runs, if code in the worlds can wait.
  private var threads: SimulationThreads?
  /// The thread that runs the seeds, or nil in a replay.
  var runner: SeedRunner?
  /// Whether the process survives a trap of the code. False in a replay, so that a debugger and the
  /// backtrace show the place of the trap.
  var survivesTraps = true
  /// The number of seconds after which a job that blocks its thread fails the run. Only with
  /// simulated queues or interruptions at locks.
  package var blockingLimit = SimulatedWorldCore.Limits().blocking

  /// Creates a plan.
  ///
  /// - Precondition: `stepLimit` is positive, and `timerTolerance` is not negative.
  package init(
    seeds: ClosedRange<UInt64> = 1...1_000, strategy: SimulationStrategy = .mixed,
    queues: QueueScheduling = .real, interruptions: Interruptions = .atSuspensions,
    timerTolerance: Duration = .zero,
    stepLimit: Int = 10_000,
    body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) {
    precondition(stepLimit > 0, "SimulationPlan: the step limit must be positive, but is \(stepLimit)")
    precondition(
      timerTolerance >= .zero,
      "SimulationPlan: the tolerance of timers must not be negative, but is \(timerTolerance)")
    self.seeds = seeds
    self.strategy = strategy
    self.queues = queues
    self.interruptions = interruptions
    self.timerTolerance = timerTolerance
    self.stepLimit = stepLimit
    self.body = body
  }

  /// Replays one interleaving.
  ///
  /// If the code traps, the process ends, so that a debugger and a backtrace show the place.
  ///
  /// - Throws: The failure of the run, which is not reduced.
  package func replay(_ path: SimulationPath) throws(SimulationFailure) {
    try replay(path, survivesTraps: false)
  }

  /// - Parameter survivesTraps: Whether the process continues after a trap, which it can only if
  ///   code in the world can wait.
  package func replay(_ path: SimulationPath, survivesTraps: Bool) throws(SimulationFailure) {
    try checkSupport()
    var plan = self
    plan.survivesTraps = survivesTraps
    try plan.usingThreads { plan throws(SimulationFailure) in
      let core = plan.run(path, records: true)
      if let reason = core.reason {
        throw SimulationFailure(reason: reason, core: core, seed: nil, plan: self)
      }
    }
  }

  /// Calls `body` with this plan and the threads of its worlds.
  func usingThreads(
    _ body: (SimulationPlan) throws(SimulationFailure) -> Void
  ) throws(SimulationFailure) {
    var plan = self
    plan.threads = queues.isSimulated || interruptions.includesLocks ? SimulationThreads() : nil
    defer { plan.threads?.end() }
    try body(plan)
  }

  func run(_ path: SimulationPath, records: Bool = false, patience: Int? = nil) -> SimulatedWorldCore {
    run(PathChooser(path.choices), path, records: records, patience: patience)
  }

  func run(
    _ chooser: any Chooser, _ path: SimulationPath? = nil, seed: UInt64? = nil, records: Bool = false,
    patience: Int? = nil
  ) -> SimulatedWorldCore {
    var limits = SimulatedWorldCore.Limits(steps: stepLimit, blocking: blockingLimit)
    if let patience { limits.patience = patience }
    let core = SimulatedWorldCore(
      chooser: chooser, omitted: path?.omitted ?? [], interruptsAfterCalls: path?.isCoarse != true,
      limits: limits, queueScheduling: queues, interruptions: interruptions, timerTolerance: timerTolerance,
      hooks: hooks, records: records)
    core.seed = seed
    core.survivesTraps = survivesTraps
    if survivesTraps, threads == nil, let runner {
      core.wakeAfterTrap = runner.wake
      runner.begin(core)
    }
    let world = SimulatedWorld(core: core)
    core.run(on: threads) { [body] in try await body(world) }
    core.end()
    return core
  }

  func checkSupport() throws(SimulationFailure) {
    guard let obstacle = hooks.obstacle(queues, interruptions) ?? JobCapture.obstacle else { return }
    throw SimulationFailure(reason: .unsupported(obstacle), seed: seeds.lowerBound, strategy: strategy)
  }

  func compare(
    _ first: SimulatedWorldCore, with second: SimulatedWorldCore, seed: UInt64
  ) throws(SimulationFailure) {
    // Perhaps only the second run fails: whether it detects an event outside the world depends on
    // another thread, and the first run may have left state behind.
    if let reason = second.reason { throw failure(reason, in: second, seed: seed) }
    guard first.hash != second.hash else { return }
    throw SimulationFailure(
      reason: .notReproducible(first: first.hash.value, second: second.hash.value), seed: seed,
      strategy: strategy)
  }

  private static let repetitionBlockingLimit = 3

  func failure(
    _ reason: SimulationFailure.Reason, in core: SimulatedWorldCore, seed: UInt64
  ) -> SimulationFailure {
    // Only the first run waits for threads outside the world, which it would have seen. A
    // repetition can be blocked by a global lock that the first run has left locked.
    var repetition = self
    repetition.blockingLimit =
      if case .blocked = reason { blockingLimit } else { min(blockingLimit, Self.repetitionBlockingLimit) }
    let again = repetition.run(core.path, records: true, patience: reason.isOutside ? nil : 0)
    // No seed controls an event outside the world, so a run with such an event cannot be compared
    // or reduced. The reduction of a run that records issues without a test would record the issues
    // again.
    if reason.isOutside || core.recordsIssues {
      return SimulationFailure(reason: reason, core: again, seed: seed, plan: self)
    }
    // Each attempt to reduce the run would leave a thread behind.
    if core.hasCrashed {
      return SimulationFailure(reason: reason, core: again.hasCrashed ? again : core, seed: seed, plan: self)
    }
    // A lock of a global variable stays locked after a deadlock, so the repetition blocks its
    // thread.
    if case .blocked = again.reason {
      return SimulationFailure(reason: reason, core: core, seed: seed, plan: self)
    }
    guard again.reason?.kind == reason.kind else {
      var failure = SimulationFailure(reason: reason, core: core, seed: seed, plan: self)
      failure.isRepeated = false
      return failure
    }
    runner?.unreduced = SimulationFailure(reason: reason, core: again, seed: seed, plan: self)
    var crashed: SimulatedWorldCore?
    var shrinking = Shrinking(reason: reason, core: again) { path, seed in
      // An attempt that traps leaves a thread behind, so it is the last one.
      if let crashed { return crashed }
      let core = run(
        seed.map(SimulationStrategy.random.chooser) ?? PathChooser(path.choices), path, patience: 0)
      if core.hasCrashed { crashed = core }
      return core
    }
    let shown = run(shrinking.smallest(), records: true, patience: 0)
    return SimulationFailure(
      reason: shown.reason ?? reason, core: shown, seed: seed, plan: self,
      originalTurns: core.path.turns)
  }
}

extension SimulationPlan {
  /// The failure of a run whose code has trapped on the thread of its runner.
  ///
  /// Runs it again for the timeline, on threads that this thread survives.
  func failure(afterCrashOf core: SimulatedWorldCore, seed: UInt64?) -> SimulationFailure {
    var plan = self
    plan.runner = nil
    plan.threads = SimulationThreads()
    defer { plan.threads?.end() }
    let again = plan.run(core.path, records: true)
    let shown = again.hasCrashed ? again : core
    return SimulationFailure(reason: shown.markTrapped(), core: shown, seed: seed, plan: self)
  }
}

extension SimulationFailure.Reason {
  /// Whether the failure depends on a thread outside the world.
  fileprivate var isOutside: Bool {
    switch self {
    case .leftTheWorld, .expectationOutside, .blocked: true
    default: false
    }
  }
}

extension SimulationPlan {
  var isExhaustive: Bool { strategy.exploration != nil }
}

extension SimulationStrategy {
  var exploration: Exploration? {
    if case .exhaustive(let preemptions) = self { Exploration(preemptions: preemptions) } else { nil }
  }
}

extension SimulationFailure {
  /// A failure without a run to show.
  init(reason: Reason, seed: UInt64?, strategy: SimulationStrategy) {
    self.init(
      reason: reason, seed: seed, strategy: strategy, path: SimulationPath(choices: []), originalTurns: 0,
      timeline: [], fullTimeline: [], picture: "", body: .ended)
  }

  init(
    reason: Reason, core: SimulatedWorldCore, seed: UInt64?, plan: SimulationPlan,
    originalTurns: Int? = nil
  ) {
    let path = core.path
    var timeline = core.timeline ?? Timeline()
    if case .livelock = reason { timeline = timeline.showingCycleOnce }
    self.init(
      reason: reason, seed: seed, strategy: plan.strategy, path: path,
      originalTurns: originalTurns ?? path.turns,
      timeline: TimelineText(name: core.name, isVerbose: false).lines(of: timeline),
      fullTimeline: TimelineText(name: core.name, isVerbose: true).lines(of: timeline),
      picture: TimelinePicture(name: core.name).svg(of: timeline), body: core.bodyState)
    note = plan.hooks.note(on: reason)
  }
}
