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

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Creates a stream of the values that a callback receives, up to the end or the error that a second
  /// callback receives.
  ///
  /// Use it to read a callback-based connection with `for try await`:
  ///
  /// ```swift
  /// let messages = AsyncThrowingStream(buffering: .unbounded) { receive, complete in
  ///   socket.open(onMessage: receive, onClose: complete)
  /// }
  /// ```
  ///
  /// The stream yields every value from the registration on, in the order of the calls, as far as `buffering`
  /// keeps it. Then it ends, or throws the error. The first call of `complete` counts, and later calls of both
  /// callbacks do nothing. The callbacks never block. They may be called on any thread, even within
  /// `register`.
  ///
  /// If the source releases both callbacks without a completion, the stream yields the unread values and ends.
  ///
  /// - Isolation: `register` runs at once, within this call, so no later value is missed.
  /// - Cancellation: The end of the stream cancels the token before the reader sees the end. Cancelling the
  ///   reading task ends the stream without an error. Then, and if the stream is dropped, the token is cancelled
  ///   soon after, on a global queue. So a source that holds one lock both while it calls its callbacks and in
  ///   its cancellation cannot deadlock with the task. Later calls of the callbacks do nothing.
  /// - Ownership: The stream retains only the token, not the source.
  /// - Complexity: A call of a callback takes one lock and one append.
  /// - Throws: The stream throws the error that `complete` receives, once, after the unread values.
  public init(
    buffering: BufferingPolicy,
    observing register: (
      _ receive: @escaping @Sendable (Element) -> Void,
      _ complete: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> CancellationToken
  ) {
    // Only the callbacks retain the channel, whose `deinit` finishes its observers.
    let channel = EventChannel<Element>()
    let observer = channel.storage.makeObserver(buffering)
    let ending = Promise<Void>()
    let registered = register(
      { channel.send($0) },
      {
        ending.resolve($0)
        channel.finish()
      })
    // Released with the stream's closure: by the last reference to the stream, or within the cancellation of the
    // reading task. The two cannot be told apart.
    let token = CancellationToken(onCancel: registered.cancelOnGlobalQueue)
    self.init {
      let element = await withTaskCancellationHandler {
        await observer.next(isolation: nil)
      } onCancel: {
        observer.leave()
        registered.cancelOnGlobalQueue()
      }
      guard element == nil else { return element }
      guard !Task.isCancelled else { return nil }
      withExtendedLifetime(token) { registered.cancel() }
      try ending.take()?.get()
      return nil
    }
  }
}
