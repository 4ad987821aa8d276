public import Foundation

/// A source of notifications: a `NotificationCenter`, or a replacement in a test.
public protocol NotificationSource: Sendable {
  /// Calls `block` for each notification of one name, until the returned token is cancelled or
  /// released.
  ///
  /// `block` runs synchronously, on the thread that posts the notification, before the post
  /// returns.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The sender of the notifications, or `nil` for any sender. The sender is not
  ///     retained.
  ///   - block: Receives each notification.
  func register(
    for name: Notification.Name, from object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) -> CancellationToken
}

extension NotificationCenter: NotificationSource {
  /// Calls `block` for each notification of one name, until the returned token is cancelled or
  /// released.
  public func register(
    for name: Notification.Name, from object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) -> CancellationToken {
    let registration = NotificationRegistration(
      addObserver(forName: name, object: object, queue: nil, using: block), in: self)
    return CancellationToken { registration.end() }
  }
}

/// An observer that is registered with a notification center.
///
/// `@unchecked Sendable`: `observer` never changes and is only passed back to the center, on any
/// thread.
private final class NotificationRegistration: @unchecked Sendable {
  private let observer: any NSObjectProtocol
  private let center: NotificationCenter

  init(_ observer: any NSObjectProtocol, in center: NotificationCenter) {
    self.observer = observer
    self.center = center
  }

  func end() { center.removeObserver(observer) }
}

extension NotificationSource {
  /// Creates a stream of the payloads that `extract` returns for the notifications of one name.
  ///
  /// ```swift
  /// actor Badge {
  ///   private var currency: CancellationToken?
  ///   func follow(_ center: NotificationCenter) {
  ///     let changes = center.stream(of: .currencyChanged) { $0.userInfo?["code"] as? String }
  ///     currency = changes.observe(on: self) { badge, code in badge.code = code }
  ///   }
  /// }
  /// ```
  ///
  /// The registration exists when this method returns. The stream yields the payloads of all later
  /// notifications in the order of their posts, except for payloads that `buffering` drops.
  ///
  /// - Isolation: `extract` runs on the thread that posts the notification, before the post
  ///   returns. Only the payload leaves that thread.
  /// - Cancellation: Dropping the stream ends the registration at once. Cancelling the reading task
  ///   ends it on a global queue.
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The sender of the notifications, or `nil` for any sender. The sender is not
  ///     retained.
  ///   - buffering: Decides which unread payloads the stream keeps while its reader is busy.
  ///   - extract: Returns the payload of a notification, or `nil` to omit the notification.
  @export(implementation)
  public func stream<Payload: Sendable>(
    of name: Notification.Name, from object: AnyObject? = nil, buffering: BufferingPolicy = .unbounded,
    _ extract: @escaping @Sendable (Notification) -> Payload?
  ) -> AsyncStream<Payload> {
    AsyncStream(buffering: buffering) { send in
      register(for: name, from: object) { notification in
        if let payload = extract(notification) { send(payload) }
      }
    }
  }
}
