import AsyncViewModels
import Dispatch

actor Counter {
  private let isolation = QueueIsolation(DispatchQueue(label: "counter"))
  private nonisolated var queue: DispatchQueue { isolation.queue }
  nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }

  /// How often.
  private(set) var count = 0

  func increment() { count += 1 }
}
