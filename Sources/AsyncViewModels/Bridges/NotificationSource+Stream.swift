public import Foundation

extension NotificationSource {
  /// A stream of what `extract` finds in the notifications of this name: legacy broadcasts in, `for await` out.
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
  /// - Promises: one registration, made within this call: what is posted afterwards is in the stream, in the order of the posts, as
  ///   far as `buffering` keeps it.
  /// - Isolation: a notification cannot leave the thread that posts it, and does not: `extract` runs there, within the post, and
  ///   only what it returns goes on. Nil leaves the notification out.
  /// - Leaving: the registration ends with the stream, at once where it is dropped, soon after where its task is cancelled. A view
  ///   model that reads it with `observe(on:_:)` takes its registration with it.
  /// - Parameter object: only notifications from this sender, which is not kept.
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
