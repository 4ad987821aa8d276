import Dispatch

extension AsyncStream where Element: Sendable {
  /// Creates a stream of the values that a callback receives.
  ///
  /// Use it to read a callback-based observation with `for await`:
  ///
  /// ```swift
  /// let states = AsyncStream(buffering: .latest) { viewModel.bind($0) }
  /// ```
  ///
  /// The stream yields every value from the registration on, in the order of the calls, as far as `buffering`
  /// keeps it. The callback never blocks. It may be called on any thread, even within `register`.
  ///
  /// If the source releases the callback, the stream yields the unread values and finishes.
  ///
  /// - Isolation: `register` runs at once, within this call, so no later value is missed.
  /// - Cancellation: The end of the stream unregisters the callback. Dropping the stream cancels the token at
  ///   once. Cancelling the reading task cancels the token soon after, on a global queue. So a source that
  ///   holds one lock both while it calls its callbacks and in its cancellation cannot deadlock with the
  ///   cancelled task. Later calls of the callback do nothing.
  /// - Ownership: The stream retains only the token, not the source.
  /// - Complexity: A call of the callback takes one lock and one append.
  public init(
    buffering: BufferingPolicy,
    observing register: (@escaping @Sendable (Element) -> Void) -> CancellationToken
  ) {
    // Only the callback retains the channel, whose `deinit` finishes its observers.
    let channel = EventChannel<Element>()
    let observer = channel.storage.makeObserver(buffering)
    let token = register { channel.send($0) }
    self.init(
      unfolding: {
        defer { withExtendedLifetime(token) {} }
        return await observer.next(isolation: nil)
      },
      onCancel: {
        observer.leave()
        DispatchQueue.global().async { token.cancel() }
      })
  }
}
