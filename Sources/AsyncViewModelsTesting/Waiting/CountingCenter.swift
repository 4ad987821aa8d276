package import AsyncViewModels
package import Foundation
import Synchronization

/// A notification source that has its own notification center and counts the registrations.
package final class CountingCenter: NotificationSource {
  private struct Counts {
    var made = 0
    var live = 0
  }

  package let center = NotificationCenter()
  private let counts = Mutex(Counts())

  package init() {}

  /// Posts a notification.
  package func post(_ name: Notification.Name) { center.post(name: name, object: nil) }

  /// The number of all registrations so far.
  package var madeCount: Int { counts.withLock { $0.made } }

  /// The number of registrations that have not ended.
  package var liveCount: Int { counts.withLock { $0.live } }

  package func register(
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
