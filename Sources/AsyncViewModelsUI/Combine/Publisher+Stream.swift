#if canImport(Combine)
  public import Combine
  import Dispatch
  import Synchronization

  extension Publisher where Output: Sendable, Failure == Never {
    /// Subscribes to the publisher, and returns a stream of its values.
    ///
    /// ```swift
    /// for await query in textChanges.stream() { await search.setQuery(query) }
    /// ```
    ///
    /// The stream contains each value that the publisher sends from this call on, in order, except
    /// for values that `buffering` drops. Combine's own `values` requests one value at a time, so a
    /// `PassthroughSubject` drops the values that it sends between the reads. Prefer `values` for a
    /// publisher that makes its values on request, such as that of a large array: this stream keeps
    /// all of them in memory.
    ///
    /// - Note: `@Published` publishes a new value *before* the property has it. Read the value from
    ///   the stream, not from the property.
    /// - Ordering: The publisher never waits for the reader. Its completion ends the stream after
    ///   the last value.
    /// - Cancellation: If the reading task is cancelled or the stream is released, the subscription
    ///   is cancelled: on the main queue if this method was called on the main thread, and
    ///   otherwise on a global queue or the releasing thread.
    /// - Parameter buffering: Decides which unread values the stream keeps while its reader is
    ///   busy. Use ``BufferingPolicy/latest`` for states.
    public func stream(_ buffering: BufferingPolicy = .unbounded) -> AsyncStream<Output> {
      AsyncStream(buffering: buffering) { receive in
        // A completion releases `receive`, which ends the stream.
        StreamSubscriber(receive) { (_: Result<Void, Never>) in }.subscribe(to: self)
      }
    }
  }

  extension Publisher where Output: Sendable {
    /// Subscribes to the publisher, and returns a stream of its values. See the method for
    /// publishers that never fail.
    ///
    /// - Throws: The stream throws the error of the publisher, once, after the unread values.
    public func stream(_ buffering: BufferingPolicy = .unbounded) -> AsyncThrowingStream<Output, any Error> {
      AsyncThrowingStream(buffering: buffering) { receive, complete in
        StreamSubscriber(receive) { (result: Result<Void, Failure>) in
          complete(result.mapError { $0 as any Error })
        }
        .subscribe(to: self)
      }
    }
  }

  /// Subscribes with unlimited demand, and passes everything to two callbacks.
  private final class StreamSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private struct Callbacks: Sendable {
      let receive: @Sendable (Input) -> Void
      let complete: @Sendable (Result<Void, Failure>) -> Void
    }

    /// `@unchecked Sendable`: used by one thread at a time, which has taken it. A subscription that
    /// was made on the main thread is cancelled there, because its publisher may belong to the main
    /// actor.
    private struct Upstream: @unchecked Sendable {
      let subscription: any Combine.Subscription
    }

    private struct Guarded: Sendable {
      /// `nil` after the completion or a cancellation.
      var callbacks: Callbacks?
      var upstream: Upstream?
    }

    private let guarded: Mutex<Guarded>

    init(
      _ receive: @escaping @Sendable (Input) -> Void,
      complete: @escaping @Sendable (Result<Void, Failure>) -> Void
    ) {
      guarded = Mutex(Guarded(callbacks: Callbacks(receive: receive, complete: complete)))
    }

    func subscribe(to publisher: some Publisher<Input, Failure>) -> CancellationToken {
      publisher.subscribe(self)
      guard MainQueue.isCurrent else { return CancellationToken(onCancel: cancel) }
      return CancellationToken { DispatchQueue.main.async { self.cancel() } }
    }

    func receive(subscription: any Combine.Subscription) {
      let upstream = Upstream(subscription: subscription)
      let isWanted = guarded.withLock { guarded in
        // A publisher gives one subscription. A second one would double the values.
        guard guarded.callbacks != nil, guarded.upstream == nil else { return false }
        guarded.upstream = upstream
        return true
      }
      if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      guarded.withLock { $0.callbacks }?.receive(input)
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let (callbacks, upstream) = end()
      switch completion {
      case .finished: callbacks?.complete(.success(()))
      case .failure(let error): callbacks?.complete(.failure(error))
      }
      withExtendedLifetime(upstream) {}
    }

    private func cancel() {
      let (callbacks, upstream) = end()
      withExtendedLifetime(callbacks) { upstream?.subscription.cancel() }
    }

    /// Takes what the lock guards, so that it is used and released after the unlock.
    private func end() -> (Callbacks?, Upstream?) {
      guarded.withLock { ($0.callbacks.take(), $0.upstream.take()) }
    }
  }
#endif
