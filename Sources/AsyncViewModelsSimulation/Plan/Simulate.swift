import Foundation
import Synchronization

/// Runs `body` once for each seed, each time in a new simulated world. The seed decides which ready job runs
/// next; time is virtual.
///
/// ```swift
/// try await simulate(seeds: 1...20_000) { world in
///   let counter = Counter(isolation: world.isolation)
///   let tasks = (1...2).map { n in world.spawn("click \(n)") { await counter.click() } }
///   for task in tasks { await task.finish() }
///   world.expectEqual(await counter.clicks, 2)
/// }
/// ```
///
/// - Important: On a Mac, a simulation cannot control the main actor, `Task.sleep`, dispatch queues, locks and the clocks of the system,
///   and not each hop between plain actors and each `Task.yield()`. Most of these end the run with a failure that says "left the world".
///   The page *Find the race in your view model in ten lines* of `AsyncViewModels` has a table.
///
/// The same seed leads to the same run on every machine with the same toolchain and build configuration. The
/// first run, and then about one run in a thousand, runs twice to check this. A run of a small world takes a
/// few microseconds.
///
/// A run fails if a spawned task stays suspended, if tasks deadlock, or if the run needs more than `stepLimit`
/// steps. The simulation detects these failures itself and does not need a timeout.
///
/// On Linux, code of a world also reads virtual time from the system's clocks: see ``SimulatedWorld/clock``.
///
/// Virtual time stops at each deadline, so timers fire in the order of their deadlines. In an app, two timers that are a few milliseconds
/// apart can come in the other order, because the system delays the first one. With a `timerTolerance`, if other deadlines follow a
/// deadline within this tolerance, the seed decides whether the time moves only to the first or at once to the last of these deadlines.
/// In the second case, all timers that are due by then become ready together, and run in any order. This concerns `Task.sleep`, the
/// clock of the world, blocks and timers of simulated queues, and waits with a time limit.
///
/// The environment variable `SIMULATION_REPLAY` replays one run instead, in each simulation of the process. Its value is a seed or a
/// path: `SIMULATION_REPLAY='path:2=1' swift test --filter cart`.
///
/// If a check of Swift fails on a thread of the world, for example because a continuation is resumed twice, the run fails with
/// ``SimulationFailure/Reason/trapped(_:call:)``, and other tests continue. A real queue is no such thread. The thread of the run stops
/// where it is: what it holds stays in memory, and a lock that it holds stays locked. A replay ends the process instead, so that a debugger
/// and the backtrace show the place. If the process cannot survive, as after an access to memory that does not exist, the simulation prints
/// the seed and the path of the run first.
///
/// - Parameters:
///   - seeds: The seeds, one for each run. With an exhaustive strategy, the number of seeds limits the number of
///     interleavings.
///   - strategy: The strategy that chooses the next job.
///   - queues: Who runs the blocks of dispatch queues. The module `SimulatedQueues` adds `.simulated`.
///   - interruptions: Where a world can interrupt code.
///   - timerTolerance: The longest distance between two deadlines that may come at the same time.
///   - stepLimit: The number of steps after which a run fails as a livelock.
///   - threads: The number of threads that run seeds at the same time: see ``SimulationPlan/run(onThreads:continues:)``.
///   - body: The code to simulate.
/// - Returns: The statistics of the runs.
/// - Isolation: The body runs on a dedicated thread. Simulations in parallel tests do not affect each other
///   or other tests.
/// - Expectations: A failed expectation of the world fails the run. So does a failed expectation of Swift Testing in
///   the body, in its tasks or in a block of a simulated queue. The failure reports the place of the expectation,
///   and the seed and the timeline of the run. In a detached task, use an expectation of the world. Swift Testing
///   does not know the test there: a failed `#expect` fails the run, but Swift Testing also records the issue for
///   an unknown test.
/// - Cancellation: Ends the simulation about a tenth of a second later, after the runs in progress and their reduction. It throws
///   ``SimulationFailure/Reason/interrupted(runs:)``, unless all runs are over.
/// - Throws: ``SimulationFailure``. Its description shows the seed and the timeline of the reduced run.
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
/// The work runs in a task that inherits the task-local values of the caller. So the testing library knows to which
/// test an expectation in the world belongs.
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

/// Tells a simulation that its caller is cancelled. The task of the simulation itself is never cancelled,
/// because blocks of simulated queues run in this task and must not see the cancellation.
private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}
