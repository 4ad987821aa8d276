public import Dispatch

/// A host whose executor is a serial dispatch queue: actors hosted on it and legacy code on that queue share one isolation, so
/// that a class that is guarded by its queue and the actor that replaces it can live side by side, without a hop between them.
///
/// - Isolation: what is isolated to this actor, or to one that it hosts, runs on `queue`; what runs on `queue` may use
///   `assumeIsolated` on any of them.
/// - Precondition: `queue` is serial. A concurrent queue would run two pieces of actor code at once, and nothing can check that.
/// - Cost: each hop is a `queue.async`, several times as dear as a hop to a default actor.
public actor QueueIsolation {
  private nonisolated let executor: QueueExecutor

  /// The queue that everything hosted here runs on.
  public nonisolated var queue: DispatchQueue { executor.queue }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  public init(_ queue: DispatchQueue) { executor = QueueExecutor(queue) }
}

/// Runs an actor's jobs as blocks of a dispatch queue.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

  /// Lets `assumeIsolated` accept code that reached the queue without Swift's help.
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
