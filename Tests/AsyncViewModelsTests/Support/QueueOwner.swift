import AsyncViewModels
import Dispatch

/// An actor without state that runs on a dispatch queue.
actor QueueOwner {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }
  private nonisolated let isolation: QueueIsolation

  init(_ queue: DispatchQueue) { isolation = QueueIsolation(queue) }
}
