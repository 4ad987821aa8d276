public import Dispatch

/// A host whose executor is a serial dispatch queue.
///
/// Actors hosted on it share one isolation with the code on that queue. So a class that is guarded by the
/// queue and the actor that replaces it can coexist without a hop between them.
///
/// Each hop is a `queue.async`, which costs several times as much as a hop to a default actor.
///
/// - Isolation: Code that is isolated to this actor, or to one that it hosts, runs on `queue`. Code on
///   `queue` can call `assumeIsolated` on each of them.
/// - Precondition: `queue` is serial. A concurrent queue would run actor code in parallel, and nothing can
///   check that.
public actor QueueIsolation {
  private nonisolated let executor: QueueExecutor

  /// The queue on which this actor and the actors that it hosts run.
  public nonisolated var queue: DispatchQueue { executor.queue }

  /// The executor that runs jobs as blocks on the queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Creates a host that runs on `queue`, which must be serial.
  public init(_ queue: DispatchQueue) { executor = QueueExecutor(queue) }
}

/// Runs an actor's jobs as blocks on a dispatch queue.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

  /// Lets `assumeIsolated` accept code that runs on the queue outside of a Swift task.
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
