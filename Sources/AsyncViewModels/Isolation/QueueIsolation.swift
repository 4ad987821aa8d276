public import Dispatch

/// Runs view models on a serial dispatch queue.
///
/// ```swift
/// let model = CartViewModel(service: service, isolation: QueueIsolation(queue))
/// ```
///
/// View models and code on the queue share one isolation. So a class that the queue guards and a
/// view model can call each other without a hop, for example while the class becomes an actor.
///
/// Each hop submits a block with `queue.async`, and costs several times as much as a hop to a plain
/// actor. On Apple platforms, a call keeps the priority of its task.
///
/// - Isolation: Code that is isolated to this actor, or to an actor that uses its executor, runs on
///   `queue`. Code on `queue` can call `assumeIsolated` on all of these actors.
/// - Precondition: `queue` is serial. A concurrent queue would run the code of one actor on several
///   threads at the same time. Neither the compiler nor the initializer can check this.
public actor QueueIsolation {
  private nonisolated let executor: QueueExecutor

  /// The queue on which this actor and its view models run.
  public nonisolated var queue: DispatchQueue { executor.queue }

  /// The executor, which runs each job as a block on the queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Creates an isolation on `queue`, which must be serial.
  public init(_ queue: DispatchQueue) { executor = QueueExecutor(queue) }
}

/// Runs an actor's jobs as blocks on a dispatch queue.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    #if canImport(Darwin)
      // The raw value of a job's priority is also the raw value of the matching quality-of-service
      // class.
      let priority = qos_class_t(rawValue: UInt32(job.priority.rawValue))
    #endif
    let job = UnownedJob(job)
    let run: @Sendable @convention(block) () -> Void = {
      unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
    #if canImport(Darwin)
      // A plain `async` uses the priority of this thread, and needs no work item. The job's
      // priority differs if, for example, a background thread resumes a task of the user interface.
      if priority != qos_class_self(), let qos = DispatchQoS.QoSClass(rawValue: priority), qos != .unspecified
      {
        return queue.async(
          qos: DispatchQoS(qosClass: qos, relativePriority: 0), flags: .enforceQoS, execute: run)
      }
    #endif
    queue.async(execute: run)
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

  /// Lets `assumeIsolated` accept code that runs on the queue outside of a Swift task.
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
