import Dispatch
import Synchronization

/// A block that runs once, unless it is cancelled before it starts.
final class ScheduledBlock: Sendable {
  let queue: DispatchQueue
  private let work: Mutex<(@Sendable () -> Void)?>

  init(queue: DispatchQueue, work: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.work = Mutex(work)
  }

  func run() { take()?() }

  func cancel() { withExtendedLifetime(take()) {} }

  private func take() -> (@Sendable () -> Void)? {
    work.withLock { $0.take() }
  }
}
