public import Foundation

/// Where notifications come from: a `NotificationCenter`, or what a test puts in its place.
public protocol NotificationSource: Sendable {
  /// Calls `block` for each notification of this name, within the post, until the token is cancelled or goes away. With an `object`
  /// only for those from this sender, which is not kept.
  func register(
    for name: Notification.Name, from object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) -> CancellationToken
}

extension NotificationCenter: NotificationSource {
  public func register(
    for name: Notification.Name, from object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) -> CancellationToken {
    let registration = NotificationRegistration(
      addObserver(forName: name, object: object, queue: nil, using: block), in: self)
    return CancellationToken { registration.end() }
  }
}

/// What a center has handed out, to be handed back.
private final class NotificationRegistration: @unchecked Sendable {
  // No lock: never changed, and used for nothing but to be handed back to the center, which takes it from any thread.
  private let observer: any NSObjectProtocol
  private let center: NotificationCenter

  init(_ observer: any NSObjectProtocol, in center: NotificationCenter) {
    self.observer = observer
    self.center = center
  }

  func end() { center.removeObserver(observer) }
}
