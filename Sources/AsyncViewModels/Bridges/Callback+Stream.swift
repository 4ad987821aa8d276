extension AsyncStream where Element: Sendable {
  /// Creates a stream of the values that a callback receives.
  ///
  /// Use this initializer to read a callback-based observation with `for await`:
  ///
  /// ```swift
  /// let states = AsyncStream(buffering: .latest) { viewModel.bind($0) }
  /// ```
  ///
  /// The stream yields the values in the order of the calls, except for values that `buffering`
  /// drops. A call of the callback never waits for the reader. The callback may be called on any
  /// thread, even within `register`.
  ///
  /// If the source releases the callback, the stream yields the unread values and ends.
  ///
  /// - Isolation: `register` runs within this call, so the stream misses no value that the source
  ///   sends after the call.
  /// - Cancellation: Dropping the stream cancels the token at once. If the stream ends or the
  ///   reading task is cancelled, the token is cancelled asynchronously, on a global queue. So a
  ///   source does not deadlock if it calls its callbacks and handles its cancellation under one
  ///   lock. After a cancellation, calls of the callback do nothing.
  /// - Ownership: The stream retains the token, but not the source.
  /// - Complexity: A call of the callback takes one lock and appends one value.
  /// - Parameters:
  ///   - buffering: Decides which unread values the stream keeps while its reader is busy.
  ///   - register: Registers the callback with a source of values, and returns a token that ends
  ///     the registration.
  public init(
    buffering: BufferingPolicy,
    observing register: (@escaping @Sendable (Element) -> Void) -> CancellationToken
  ) {
    // Only the callback retains the channel. If the source releases the callback, the channel ends
    // the stream in its `deinit`.
    let channel = EventChannel<Element>()
    let observer = channel.storage.makeObserver(buffering)
    let token = register { channel.send($0) }
    self.init(
      unfolding: {
        let element = await observer.next(isolation: nil)
        // The source has released the callback, or the reading task is cancelled.
        if element == nil { token.cancelOnGlobalQueue() }
        return element
      },
      onCancel: {
        observer.leave()
        // This closure retains the token, too. A cancellation releases the `unfolding` closure. If
        // only that closure retained the token, the token would cancel in its `deinit`, on this
        // thread.
        token.cancelOnGlobalQueue()
      })
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Creates a stream of the values that a callback receives. The stream ends when a second
  /// callback receives the end or an error.
  ///
  /// Use this initializer to read a callback-based connection with `for try await`:
  ///
  /// ```swift
  /// let messages = AsyncThrowingStream(buffering: .unbounded) { receive, complete in
  ///   socket.open(onMessage: receive, onClose: complete)
  /// }
  /// ```
  ///
  /// The stream yields the values in the order of the calls, except for values that `buffering`
  /// drops. After the call of `complete`, the stream yields the unread values, and then ends or
  /// throws the error. After the first call of `complete`, further calls of either callback do
  /// nothing. A call of a callback never waits for the reader. The callbacks may be called on any
  /// thread, even within `register`.
  ///
  /// If the source releases both callbacks and has not called `complete`, the stream yields the
  /// unread values and ends.
  ///
  /// - Isolation: `register` runs within this call, so the stream misses no value that the source
  ///   sends after the call.
  /// - Cancellation: When the stream ends, the token is cancelled before the reader receives the
  ///   end or the error. Cancelling the reading task ends the stream without an error. If the
  ///   reading task is cancelled or the stream is dropped, the token is cancelled asynchronously,
  ///   on a global queue. So a source does not deadlock if it calls its callbacks and handles its
  ///   cancellation under one lock. After a cancellation, calls of the callbacks do nothing.
  /// - Ownership: The stream retains the token, but not the source.
  /// - Complexity: A call of a callback takes one lock and appends one value.
  /// - Parameters:
  ///   - buffering: Decides which unread values the stream keeps while its reader is busy.
  ///   - register: Registers the callbacks with a source of values, and returns a token that ends
  ///     the registration.
  /// - Throws: The stream throws the error that `complete` receives, once, after the unread values.
  public init(
    buffering: BufferingPolicy,
    observing register: (
      _ receive: @escaping @Sendable (Element) -> Void,
      _ complete: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> CancellationToken
  ) {
    // Only the callbacks retain the channel. If the source releases the callbacks, the channel ends
    // the stream in its `deinit`.
    let channel = EventChannel<Element>()
    let observer = channel.storage.makeObserver(buffering)
    let ending = Promise<Void>()
    let registered = register(
      { channel.send($0) },
      // Only the first call, and only after it has stored its result: the reader looks for the
      // result when it finds the end.
      { if ending.resolve($0) { channel.finish() } })
    // The closure of the stream retains this token. The closure is released together with the
    // stream, or during the cancellation of the reading task. The token cannot distinguish these
    // cases, so it always uses a global queue.
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
