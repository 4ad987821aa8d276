import Dispatch

extension SimulationPlan {
  /// Runs all seeds, up to the first failure, and blocks the calling thread meanwhile.
  ///
  /// - Parameters:
  ///   - threads: The number of threads that run worlds.
  ///   - continues: Called on the calling thread with the summary so far, about ten times in a
  ///     second and before this function returns or throws. Returns `false` to end the simulation.
  /// - Throws: The failure, with its reduced run, or
  ///   ``SimulationFailure/Reason/interrupted(runs:)`` if `continues` ends the simulation before
  ///   the last run.
  /// - Precondition: The number of threads is positive, and the thread does not run a world.
  /// - Important: Do not call it on a thread of the concurrency pool.
  package func run(
    onThreads threads: Int = 1, continues: (SimulationSummary) -> Bool = { _ in true }
  ) throws(SimulationFailure) -> SimulationSummary {
    precondition(threads > 0, "SimulationPlan.run: the number of threads must be positive, but is \(threads)")
    precondition(JobCapture.current == nil, "SimulationPlan.run: a simulation cannot run within another one")
    try checkSupport()
    let work = SeedQueue(seeds)
    let wake = DispatchSemaphore(value: 0)
    var runners = (1...(isExhaustive ? 1 : threads)).map { _ in SeedRunner(wake: wake) }
    for runner in runners { start(runner, on: work) }
    while !runners.isEmpty {
      _ = wake.wait(timeout: .now() + .milliseconds(100))
      work.ask()
      runners.removeAll { runner in
        guard let core = runner.crashedCore else {
          return runner.hasEnded || work.hasFailed && isBlocked(runner)
        }
        end(runner, crashedIn: core, on: work)
        return true
      }
      if !continues(work.summary) { work.stop() }
    }
    return try work.result(isExploration: isExhaustive, strategy: strategy)
  }

  private func start(_ runner: SeedRunner, on work: SeedQueue) {
    var plan = self
    plan.runner = runner
    runner.start { [plan, unowned runner] in
      do throws(SimulationFailure) {
        try plan.usingThreads { plan throws(SimulationFailure) in
          if plan.isExhaustive { try plan.explore(work, runner) } else { try plan.runSeeds(of: work, runner) }
        }
      } catch { work.fail(error) }
      work.add(runner.takeStatistics())
    }
  }

  /// Whether a runner makes no step any more, for example because a run that trapped holds a lock.
  private func isBlocked(_ runner: SeedRunner) -> Bool { runner.ticksWithoutProgress() > 10 * blockingLimit }

  private func runSeeds(of work: SeedQueue, _ runner: SeedRunner) throws(SimulationFailure) {
    while let part = work.next() {
      for seed in part where work.needs(seed) {
        try check(seed, runner) { run(strategy.chooser(seed: seed), seed: seed) }
        if work.asks { work.add(runner.takeStatistics()) }
      }
    }
  }

  private func explore(_ work: SeedQueue, _ runner: SeedRunner) throws(SimulationFailure) {
    guard var exploration = strategy.exploration else { return }
    for seed in seeds {
      let path = SimulationPath(choices: exploration.path, isCoarse: true)
      let core = try check(seed, runner) { run(path) }
      if !exploration.advance(after: core.choices) {
        runner.statistics.isComplete = true
        return
      }
      if work.asks { work.add(runner.takeStatistics()) }
      if work.isStopped { return }
    }
    throw SimulationFailure(
      reason: .notExhausted(runs: work.summary.runs + runner.statistics.summary.runs), seed: seeds.upperBound,
      strategy: strategy)
  }

  /// Runs one seed, and again if its replay has to be compared.
  @discardableResult
  private func check(
    _ seed: UInt64, _ runner: SeedRunner, _ run: () -> SimulatedWorldCore
  ) throws(SimulationFailure) -> SimulatedWorldCore {
    runner.seed = seed
    let core = run()
    runner.statistics.add(core)
    if let reason = core.reason { throw failure(reason, in: core, seed: seed) }
    if seed == seeds.lowerBound || seed.isMultiple(of: 1_000) {
      try compare(core, with: run(), seed: seed)
      runner.statistics.summary.replaysCompared += 1
    }
    return core
  }

  private func end(_ runner: SeedRunner, crashedIn core: SimulatedWorldCore, on work: SeedQueue) {
    core.markTrapped()
    let failure = runner.unreduced ?? failure(afterCrashOf: core, seed: runner.seed)
    JobCapture.forget(core)
    var statistics = runner.takeStatistics()
    if runner.unreduced == nil { statistics.add(core) }
    work.add(statistics)
    work.fail(failure)
  }
}
