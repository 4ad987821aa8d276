import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Synchronization

/// Tasks that observe something, have seen its value, and wait for the next.
final class IdleSubscribers: Sendable {
  private let size: Int
  private let observe: @Sendable (_ hasSeen: @Sendable () -> Void) async -> Void
  private let observers = Mutex<[Task<Void, Never>]>([])
  private let arrivals = Latch()

  /// - Parameter observe: calls its argument when it has seen the value, and waits on.
  init(
    _ size: Int, _ observe: @escaping @Sendable (_ hasSeen: @Sendable () -> Void) async -> Void
  ) {
    self.size = size
    self.observe = observe
    // So that the list itself is there before anybody looks at the memory.
    observers.withLock { $0.reserveCapacity(size) }
  }

  func come() async {
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

  /// Lets those who have just seen the value get to where they wait.
  static func settle() async {
    for _ in 0..<5 { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
