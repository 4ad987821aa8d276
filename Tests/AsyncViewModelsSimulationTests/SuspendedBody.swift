import Foundation
import Synchronization

/// Lets a thread outside a world act only after the code that creates this object has suspended or waits. Only then, another task of the
/// world can run.
final class SuspendedBody: Sendable {
  private let isSuspended = Atomic(false)

  init() {
    Task { isSuspended.store(true, ordering: .releasing) }
  }

  /// Blocks the calling thread, which belongs to no world.
  func wait() {
    while !isSuspended.load(ordering: .acquiring) { usleep(100) }
  }
}
