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
/// The same seed leads to the same run on every machine with this toolchain and build configuration. One run
/// in a thousand runs twice to check this. A run fails, without a timeout, if a task is left suspended,
/// deadlocks or never ends. If the system delays a run by half a millisecond before a `Task.sleep`, the run
/// is repeated, at most four times, and counts once. A run of a small world takes a few microseconds.
///
/// - Isolation: the body runs on its own thread. Simulations in parallel tests do not affect each other or
///   other tests. Use the expectations of the world: a testing library cannot attribute its own expectations
///   to a test here.
/// - Cancellation: ends the simulation between two runs.
/// - Throws: ``SimulationFailure``. Its description shows the seed and the timeline of the reduced run.
@discardableResult
public func simulate(
  seeds: ClosedRange<UInt64> = 1...1_000, strategy: SimulationStrategy = .mixed, stepLimit: Int = 10_000,
  _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws(SimulationFailure) -> SimulationSummary {
  let plan = SimulationPlan(seeds: seeds, strategy: strategy, stepLimit: stepLimit, body: body)
  return try await onDedicatedThread { isCancelled in
    Result { () throws(SimulationFailure) in try plan.run { _ in !isCancelled() } }
  }
}

/// Replays one interleaving: the path that a failure reports.
///
/// - Throws: ``SimulationFailure`` if the run fails.
public func simulate(
  replaying path: SimulationPath, stepLimit: Int = 10_000,
  _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws(SimulationFailure) {
  let plan = SimulationPlan(stepLimit: stepLimit, body: body)
  try await onDedicatedThread { _ in Result { () throws(SimulationFailure) in try plan.replay(path) } }
}

/// Runs `work` on a new thread, because a simulation would block a thread of the concurrency pool.
private func onDedicatedThread<Value: Sendable>(
  _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Result<Value, SimulationFailure>
) async throws(SimulationFailure) -> Value {
  let isCancelled = CancellationFlag()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, SimulationFailure>, Never>) in
      let thread = Thread { continuation.resume(returning: work { isCancelled.isRaised }) }
      thread.name = "simulation"
      thread.stackSize = 8 << 20
      thread.start()
    }
  } onCancel: {
    isCancelled.raise()
  }
  return try result.get()
}

private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}
