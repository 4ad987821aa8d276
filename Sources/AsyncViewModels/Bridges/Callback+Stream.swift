import Dispatch

extension AsyncStream where Element: Sendable {
  /// A stream of what a callback is called with: legacy observation in, `for await` out.
  ///
  /// ```swift
  /// let states = AsyncStream(buffering: .latest) { viewModel.bind($0) }
  /// ```
  ///
  /// - Promises: every value from the registration on, in the order of the calls, as far as `buffering` keeps them. The
  ///   callback never blocks and may be called on any thread, also within `register`.
  /// - Isolation: `register` runs at once, within this call: nothing that happens afterwards is missed.
  /// - Leaving: the end of the stream unregisters. Dropping the stream cancels the token at once; cancelling the task
  ///   that reads cancels it soon after, on a global queue: a source that holds one lock both while it calls its
  ///   callbacks and in its cancellation can then not deadlock against the cancelled task. Calls that come late do
  ///   nothing.
  /// - The source's end: when it lets go of the callback, the stream yields what is unread and finishes. The stream does
  ///   not keep the source, beyond what its token keeps.
  /// - Cost: a call is one lock and one append.
  public init(
    buffering: BufferingPolicy,
    observing register: (@escaping @Sendable (Element) -> Void) -> CancellationToken
  ) {
    // Only the callback holds the channel, whose own end finishes its observers.
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
