import Foundation
import Synchronization

/// Runs `body` once for each seed, each time in a new simulated world.
///
/// ```swift
/// try await simulate(seeds: 1...20_000) { world in
///   let counter = Counter(isolation: world.isolation)
///   let tasks = (1...2).map { n in world.spawn("click \(n)") { await counter.click() } }
///   for task in tasks { await task.waitForEnd() }
///   world.expectEqual(await counter.clicks, 2)
/// }
/// ```
///
/// The body can use any Swift code, also without `AsyncViewModels`: actors, main-actor classes,
/// locks and, with the module `SimulatedQueues`, unmodified GCD. The seed decides which ready job
/// runs next, and time is virtual: see ``SimulatedWorld``. A run of a small world takes a few
/// microseconds.
///
/// | a run fails if | ``SimulationFailure/Reason`` |
/// | --- | --- |
/// | an expectation of the world or of Swift Testing fails | `expectation` |
/// | the body or a spawned task throws an error | `thrown` |
/// | tasks wait for each other | `deadlock` |
/// | a task is still suspended at the end | `unfinished` |
/// | the run takes more than `stepLimit` steps | `livelock` |
/// | the code traps, for example resumes a continuation twice | `trapped` |
/// | a thread that the seed does not control resumes a task | `leftTheWorld` |
/// | the same seed leads to another run | `notReproducible` |
///
/// The failure shows the seed and a reduced run. To replay it, run
/// `SIMULATION_REPLAY='path:2=1' swift test --filter cart` with the path or the seed of the
/// failure. The run shows the steps of the app. `SIMULATION_VERBOSE=1` shows all steps.
///
/// - Important: On a Mac, a simulation controls neither the main actor, `Task.sleep`, dispatch
///   queues, locks nor the system's clocks. Most tasks that use them fail the run as
///   `leftTheWorld`.
/// - Parameters:
///   - seeds: The seeds, one for each run. An exhaustive strategy runs at most this many
///     interleavings.
///   - strategy: The strategy that chooses the next job.
///   - queues: Who runs the blocks of dispatch queues. The module `SimulatedQueues` adds
///     `.simulated`.
///   - interruptions: Where a world can interrupt code.
///   - timerTolerance: The longest distance between two deadlines that may come at the same time.
///     In an app, the system can delay one of two close timers. With a tolerance, the seed may
///     advance the time to the last deadline within it, and all timers that are due then fire in
///     any order.
///   - stepLimit: The number of steps after which a run fails as a livelock.
///   - threads: The number of threads that run seeds at the same time, at most one per core. The
///     runs are the same as on one thread if they share no state, such as static variables and
///     global actors. The lowest seed that fails is reported. An exhaustive simulation uses one
///     thread.
///   - body: The code to simulate.
/// - Returns: The statistics of the runs.
/// - Reproducibility: A seed leads to the same run on every machine with the same toolchain and
///   build configuration. The first run, and about one run in a thousand, runs twice to check this.
/// - Isolation: The body runs on a dedicated thread. Simulations in parallel tests do not affect
///   each other.
/// - Expectations: In a detached task, use an expectation of the world: for a failed `#expect`,
///   Swift Testing also records an issue for an unknown test.
/// - Cancellation: Ends the simulation after the runs in progress, within about a tenth of a
///   second, and throws ``SimulationFailure/Reason/interrupted(runs:)`` unless all runs have ended.
/// - Throws: ``SimulationFailure``. Its description shows the seed and the timeline of the reduced
///   run.
/// - Precondition: `stepLimit` and `threads` are positive, and `timerTolerance` is not negative.
@discardableResult
public func simulate(
  seeds: ClosedRange<UInt64> = 1...1_000, strategy: SimulationStrategy = .mixed,
  queues: QueueScheduling = .real, interruptions: Interruptions = .atSuspensions,
  timerTolerance: Duration = .zero, stepLimit: Int = 10_000, threads: Int = 1,
  _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws(SimulationFailure) -> SimulationSummary {
  let plan = SimulationPlan(
    seeds: seeds, strategy: strategy, queues: queues, interruptions: interruptions,
    timerTolerance: timerTolerance, stepLimit: stepLimit,
    body: body)
  return try await onDedicatedThread { isCancelled in
    Result { () throws(SimulationFailure) in
      try plan.run(in: ProcessInfo.processInfo.environment, onThreads: threads) { _ in !isCancelled() }
    }
  }
}

/// Replays one interleaving: the path that a failure reports.
///
/// - Parameters:
///   - path: The path to replay.
///   - queues: Who runs the blocks of dispatch queues.
///   - interruptions: Where the world can interrupt code.
///   - timerTolerance: The tolerance of the simulation that reported the path.
///   - stepLimit: The number of steps after which the run fails as a livelock.
///   - body: The code to simulate.
/// - Throws: ``SimulationFailure`` if the run fails.
/// - Precondition: `stepLimit` is positive, and `timerTolerance` is not negative.
public func simulate(
  replaying path: SimulationPath, queues: QueueScheduling = .real,
  interruptions: Interruptions = .atSuspensions, timerTolerance: Duration = .zero, stepLimit: Int = 10_000,
  _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws(SimulationFailure) {
  let plan = SimulationPlan(
    queues: queues, interruptions: interruptions, timerTolerance: timerTolerance, stepLimit: stepLimit,
    body: body)
  try await onDedicatedThread { _ in Result { () throws(SimulationFailure) in try plan.replay(path) } }
}

/// Runs `work` on a new thread, because a simulation would block a thread of the concurrency pool.
///
/// The work runs in a task that inherits the task-local values of the caller. So the testing
/// library knows to which test an expectation in the world belongs.
private func onDedicatedThread<Value: Sendable>(
  _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Result<Value, SimulationFailure>
) async throws(SimulationFailure) -> Value {
  let isCancelled = CancellationFlag()
  let result = await withTaskCancellationHandler {
    await TestExpectations.failRuns {
      await Task(executorPreference: NewThreadExecutor()) { @concurrent in
        work { isCancelled.isRaised }
      }.value
    }
  } onCancel: {
    isCancelled.raise()
  }
  return try result.get()
}

/// Runs each job on a new thread.
final class NewThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { [self] in
      CrashReport.withSignalStack { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    thread.name = "simulation"
    thread.stackSize = 8 << 20
    thread.start()
  }
}

/// Tells a simulation that its caller is cancelled. The task of the simulation itself is never
/// cancelled, because blocks of simulated queues run in this task and must not see the
/// cancellation.
private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}
