import AsyncViewModels
import Dispatch

/// The isolation of tests that block their thread until a child process ends.
///
/// Their thread does not belong to the pool of the concurrency runtime. The pool has one thread for
/// each core, so that a few such tests could stop all other tests.
@globalActor
package actor ChildProcesses {
  package static let shared = ChildProcesses()

  private let queue = QueueIsolation(DispatchQueue(label: "child processes"))

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.unownedExecutor }
}
