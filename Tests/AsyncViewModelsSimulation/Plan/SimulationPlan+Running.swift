import Dispatch
import Synchronization

extension SimulationPlan {
  /// Runs all seeds, up to the first failure.
  ///
  /// Other threads run the worlds, and the calling thread waits for them. Several threads run several worlds at the same time: the runs are
  /// the same as on one thread, if the code under test shares no state between runs. Global actors, static variables and the state of the
  /// main actor are such state. If several seeds fail, the lowest one is reported, as on one thread. An exhaustive simulation uses one
  /// thread.
  ///
  /// If the code traps on a thread of its world, the run fails with ``SimulationFailure/Reason/trapped(_:call:)``. Its thread and its
  /// memory stay in use until the process ends, and a lock that it holds stays locked.
  ///
  /// - Parameters:
  ///   - threads: The number of threads. Not more than the cores of the machine are useful.
  ///   - continues: Called on the calling thread with the summary so far, about ten times in a second and before this function returns or
  ///     throws. Returns `false` to end the simulation.
  /// - Throws: The failure, with its reduced run, or ``SimulationFailure/Reason/interrupted(runs:)`` if `continues`
  ///   ends the simulation before the last run.
  /// - Precondition: The number of threads is positive, and the thread does not run a world.
  /// - Important: Blocks the thread. Do not call it on a thread of the concurrency pool.
  public func run(
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
    let failure = runner.unreduced ?? failure(afterCrashOf: core, seed: runner.seed)
    JobCapture.forget(core)
    var statistics = runner.takeStatistics()
    if runner.unreduced == nil { statistics.add(core) }
    work.add(statistics)
    work.fail(failure)
  }
}

/// A thread that runs seeds.
///
/// `@unchecked Sendable`: the thread that started it reads the members after `wake` was signaled, when the runner has ended or crashed.
final class SeedRunner: @unchecked Sendable {
  /// Signaled when the runner has ended, or its thread has crashed.
  let wake: DispatchSemaphore
  /// What the runs since the last report have added up to.
  var statistics = SimulationStatistics()
  /// The seed of the current or last run.
  var seed: UInt64?
  /// The failure that the runner reduces, to report it if the reduction crashes.
  var unreduced: SimulationFailure?
  private var lastProgress = (core: ObjectIdentifier?.none, steps: 0, ticks: 0)
  /// The world of the current or last run.
  private let current = UninterruptedMutex<SimulatedWorldCore?>(nil)
  private let ended = UninterruptedMutex(false)
  private var work: (() -> Void)?

  init(wake: DispatchSemaphore) { self.wake = wake }

  var hasEnded: Bool { ended.withLock(\.self) }

  var crashedCore: SimulatedWorldCore? { current.withLock { $0?.hasCrashed == true ? $0 : nil } }

  /// Runs `work` on a new thread, in a task, so that the worlds inherit the task-local values of the test.
  func start(_ work: @escaping () -> Void) {
    self.work = work
    _ = Task(executorPreference: NewThreadExecutor()) { [self] in
      performWork()
      end()
    }
  }

  /// Releases the work when it is over. Then the body of the simulation is not used any more, as the caller expects.
  @inline(never)
  private func performWork() { work.take()?() }

  func begin(_ core: SimulatedWorldCore) { replaceCurrent(by: core) }

  /// Releases the previous world after the lock.
  private func replaceCurrent(by core: SimulatedWorldCore?) {
    withExtendedLifetime(current.withLock { $0 }) { current.withLock { $0 = core } }
  }

  /// The number of calls in a row, with this one, since the world has made no step. 0 if the world is unknown.
  func ticksWithoutProgress() -> Int {
    guard let core = current.withLock(\.self) else { return 0 }
    let (id, steps) = (ObjectIdentifier(core), core.progress.load(ordering: .acquiring))
    let isSame = lastProgress.core == id && lastProgress.steps == steps
    lastProgress = (id, steps, isSame ? lastProgress.ticks + 1 : 0)
    return lastProgress.ticks
  }

  private func end() {
    replaceCurrent(by: nil)
    ended.withLock { $0 = true }
    wake.signal()
  }

  func takeStatistics() -> SimulationStatistics {
    defer { statistics = SimulationStatistics() }
    return statistics
  }
}
