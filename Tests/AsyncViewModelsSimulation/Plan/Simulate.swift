import Foundation
import Synchronization

/// Runs `body` once for each seed, in a world of its own in which the seed decides which of the ready jobs runs next, on virtual time.
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
/// - Promises: the same seed leads to the same run, on any machine with this toolchain and build configuration; one run in a thousand
///   is done twice to see that it does. A body from which something is left suspended, deadlocks or never ends fails, without a
///   time-out. A run that the system held up for half a millisecond before a `Task.sleep` is done again, four times at most, and
///   counts once.
/// - Isolation: the body runs on a thread of its own; simulations in parallel tests do not disturb each other or other tests.
///   Expectations are the world's: those of a testing library would not know whose test they belong to.
/// - Cancellation: ends the simulation between two runs.
/// - Throws: ``SimulationFailure``, whose description shows the seed, and the run, made as small as it could be, as a timeline.
/// - Cost: a few microseconds for each run of a small world.
@discardableResult
public func simulate(
  seeds: ClosedRange<UInt64> = 1...1_000, strategy: SimulationStrategy = .mixed, stepLimit: Int = 10_000,
  _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws(SimulationFailure) -> SimulationSummary {
  let plan = SimulationPlan(seeds: seeds, strategy: strategy, stepLimit: stepLimit, body: body)
  return try await onThreadOfItsOwn { isCancelled in
    Result { () throws(SimulationFailure) in try plan.run { _ in !isCancelled() } }
  }
}

/// Runs one interleaving again: what a failure names as its path.
///
/// - Throws: the ``SimulationFailure`` that it leads to.
public func simulate(
  replaying path: SimulationPath, stepLimit: Int = 10_000,
  _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws(SimulationFailure) {
  let plan = SimulationPlan(stepLimit: stepLimit, body: body)
  try await onThreadOfItsOwn { _ in Result { () throws(SimulationFailure) in try plan.replay(path) } }
}

/// A world keeps its thread busy, and a thread of the concurrency pool would be missing elsewhere.
private func onThreadOfItsOwn<Value: Sendable>(
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
