import AsyncViewModels
import Dispatch

/// An actor without state that runs on a dispatch queue.
actor QueueOwner {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
  private nonisolated let host: QueueIsolation

  init(_ queue: DispatchQueue) { host = QueueIsolation(queue) }
}
