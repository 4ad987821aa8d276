public import AsyncViewModels
public import Foundation
import Synchronization

/// A notification center of a test that counts its observers.
///
/// ```swift
/// let center = CountingNotificationCenter()
/// let model = AccountViewModel(notifications: center)
/// #expect(center.observerCount == 1)
/// ```
///
/// Separate from `NotificationCenter.default`, so tests can run in parallel.
///
/// - Isolation: None. Every member may be used from any thread.
public final class CountingNotificationCenter: NotificationSource {
  private struct Counts {
    var total = 0
    var active = 0
  }

  /// The notification center that delivers. Observers that register here directly do not count.
  public let center = NotificationCenter()
  private let counts = Mutex(Counts())

  /// Creates a center without observers.
  public init() {}

  /// Posts a notification, and returns when the blocks of the observers have returned.
  public func post(_ name: Notification.Name) { center.post(name: name, object: nil) }

  /// The number of observers that are registered now.
  public var observerCount: Int { counts.withLock { $0.active } }

  /// The number of all registrations so far.
  public var registrationCount: Int { counts.withLock { $0.total } }

  /// Registers a block, until the token is cancelled or released.
  public func register(
    for name: Notification.Name, from object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) -> CancellationToken {
    counts.withLock {
      $0.total += 1
      $0.active += 1
    }
    let token = center.register(for: name, from: object, block)
    return CancellationToken { [self] in
      token.cancel()
      counts.withLock { $0.active -= 1 }
    }
  }
}
