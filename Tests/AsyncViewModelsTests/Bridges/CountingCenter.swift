import AsyncViewModels
import Foundation
import Synchronization

/// A notification source that has its own notification center and counts the registrations.
final class CountingCenter: NotificationSource {
  private struct Counts {
    var made = 0
    var live = 0
  }

  let center = NotificationCenter()
  private let counts = Mutex(Counts())

  /// The number of all registrations so far.
  var madeCount: Int { counts.withLock { $0.made } }

  /// The number of registrations that have not ended.
  var liveCount: Int { counts.withLock { $0.live } }

  func register(
    for name: Notification.Name, from object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) -> CancellationToken {
    counts.withLock {
      $0.made += 1
      $0.live += 1
    }
    let token = center.register(for: name, from: object, block)
    return CancellationToken { [self] in
      token.cancel()
      counts.withLock { $0.live -= 1 }
    }
  }
}
