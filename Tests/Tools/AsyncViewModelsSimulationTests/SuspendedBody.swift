import Foundation
import Synchronization

/// Lets a thread outside a world act only after the code that creates this object has suspended or waits. Only then, another task of the
/// world can run.
final class SuspendedBody: Sendable {
  private let isSuspended = Atomic(false)
  private let hasActed = Atomic(false)
  private let holdsWorld: Bool

  /// - Parameter holdsWorld: Whether a step of the world lasts until the thread has acted. Otherwise, the thread acts 100 ms later, when
  ///   the world has no more work. A world without work ends after 3 s.
  init(holdsWorld: Bool = true) {
    self.holdsWorld = holdsWorld
    Task {
      isSuspended.store(true, ordering: .releasing)
      while holdsWorld, !hasActed.load(ordering: .acquiring) { sched_yield() }
    }
  }

  /// Blocks the calling thread, which belongs to no world, and then runs `action`.
  func act(_ action: () -> Void) {
    while !isSuspended.load(ordering: .acquiring) { usleep(100) }
    if !holdsWorld { usleep(100_000) }
    action()
    hasActed.store(true, ordering: .releasing)
  }
}
