extension AsyncStream where Element: Sendable {
  /// Creates a stream of the values that a callback receives.
  ///
  /// Use this initializer to read a callback-based observation with `for await`:
  ///
  /// ```swift
  /// let states = AsyncStream(buffering: .latest) { viewModel.bind($0) }
  /// ```
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | the callback is called, on any thread, even within `register` | The stream yields the values in the order of the calls. The call never waits for the reader. |
  /// | the source releases the callback | The stream yields the unread values and ends. |
  /// | the stream is dropped | The token is cancelled at once. |
  /// | the reading task is cancelled, or the stream ends | The token is cancelled on a global queue, so a source may call its callbacks and handle its cancellation under one lock. |
  /// | the callback is called after a cancellation | Nothing. |
  ///
  /// - Isolation: `register` runs within this call, so the stream misses no value that the source
  ///   sends after the call.
  /// - Ownership: The stream retains the token, but not the source.
  /// - Complexity: A call of the callback takes one lock and appends one value.
  /// - Parameters:
  ///   - buffering: Decides which unread values the stream keeps while its reader is busy.
  ///   - register: Registers the callback with a source of values, and returns a token that ends
  ///     the registration.
  @export(implementation)
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
  /// All guarantees of the initializer for an `AsyncStream` apply, and these:
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | `complete` is called | The stream yields the unread values, and then ends or throws the error. Later calls of either callback do nothing. |
  /// | the source releases both callbacks before that | The stream yields the unread values and ends. |
  /// | the stream ends | The token is cancelled before the reader receives the end or the error. |
  /// | the stream is dropped, or the reading task is cancelled | The stream ends without an error. The token is cancelled on a global queue. |
  ///
  /// - Parameters:
  ///   - buffering: Decides which unread values the stream keeps while its reader is busy.
  ///   - register: Registers the callbacks with a source of values, and returns a token that ends
  ///     the registration.
  /// - Throws: The stream throws the error that `complete` receives, once.
  @export(implementation)
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
