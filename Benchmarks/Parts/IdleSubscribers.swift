import AsyncViewModelsBenchmarkHarness
import Synchronization

/// Tasks that observe something, have seen its current value, and wait for the next.
final class IdleSubscribers: Sendable {
  private let size: Int
  private let observe: @Sendable (_ hasSeen: @Sendable () -> Void) async -> Void
  private let observers = Mutex<[Task<Void, Never>]>([])
  private let arrivals = Latch()

  /// - Parameter observe: Calls its argument for each value.
  init(
    _ size: Int, _ observe: @escaping @Sendable (_ hasSeen: @Sendable () -> Void) async -> Void
  ) {
    self.size = size
    self.observe = observe
    // Allocates the list before the benchmark looks at the memory.
    observers.withLock { $0.reserveCapacity(size) }
  }

  func subscribe() async {
    arrivals.expect(size)
    for _ in 0..<size {
      let observer = Task { [observe, arrivals] in await observe { arrivals.arrive() } }
      observers.withLock { $0.append(observer) }
    }
    await arrivals.wait()
  }

  func leave() async {
    let leavers = observers.withLock { $0 }
    for observer in leavers { observer.cancel() }
    for observer in leavers { await observer.value }
    observers.withLock { $0.removeAll(keepingCapacity: true) }
  }

  /// Waits a few milliseconds, so that observers that have just seen the value can suspend.
  static func settle() async {
    for _ in 0..<5 { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
