public import Foundation

/// A source of notifications: a `NotificationCenter`, or a replacement in a test.
public protocol NotificationSource: Sendable {
  /// Calls `block` for each notification of a name until the token is cancelled or released.
  ///
  /// `block` runs synchronously, within the post.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The sender of the notifications, which is not retained, or nil for any sender.
  ///   - block: Receives each notification.
  func register(
    for name: Notification.Name, from object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) -> CancellationToken
}

extension NotificationCenter: NotificationSource {
  /// Calls `block` for each notification of a name until the token is cancelled or released.
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
/// `@unchecked Sendable`: `observer` never changes and is only passed back to the center, on any thread.
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
  /// Creates a stream of the payloads that `extract` finds in the notifications of a name.
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
  /// The call makes one registration before it returns. The stream yields the payloads of all later posts, in
  /// the order of the posts, as far as `buffering` keeps them.
  ///
  /// - Isolation: A notification cannot leave the thread that posts it, so `extract` runs there, within the
  ///   post. Only the payload that it returns leaves that thread.
  /// - Cancellation: The registration ends with the stream: at once if the stream is dropped, soon after if
  ///   the reading task is cancelled. If a view model reads the stream with `observe(on:_:)`, the
  ///   registration ends with the view model.
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The sender of the notifications, which is not retained, or nil for any sender.
  ///   - buffering: What the stream keeps while its reader is busy.
  ///   - extract: Returns the payload of a notification, or nil to omit it.
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
