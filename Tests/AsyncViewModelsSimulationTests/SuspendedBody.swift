import Foundation
import Synchronization

/// Lets a thread outside a world act only after the code that creates this object has suspended or waits. Only then, another task of the
/// world can run.
final class SuspendedBody: Sendable {
  private let isSuspended = Atomic(false)
  private let hasActed = Atomic(false)

  /// - Parameter holdsWorld: Whether a step of the world lasts until the thread has acted. Otherwise, a world without work ends after
  ///   300 ms, even if the thread is late.
  init(holdsWorld: Bool = true) {
    Task {
      isSuspended.store(true, ordering: .releasing)
      while holdsWorld, !hasActed.load(ordering: .acquiring) { sched_yield() }
    }
  }

  /// Blocks the calling thread, which belongs to no world, and then runs `action`.
  func act(_ action: () -> Void) {
    while !isSuspended.load(ordering: .acquiring) { usleep(100) }
    action()
    hasActed.store(true, ordering: .releasing)
  }
}
