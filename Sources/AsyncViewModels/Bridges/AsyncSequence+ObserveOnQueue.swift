public import Dispatch
import Synchronization

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Calls an observer on a queue for each element of a sequence.
  ///
  /// Use this function to observe a stream from code that cannot use `await`:
  ///
  /// ```swift
  /// token = viewModel.states().observe(on: .main) { state in
  ///   MainActor.assumeIsolated { label.text = state.title }
  /// }
  /// ```
  ///
  /// - Isolation: `observer` and `completion` run on `queue`.
  /// - Ordering: `observer` is called for one element at a time, in order. After the end of the
  ///   sequence, `completion` is called once: with success, or with the error that ended the
  ///   sequence.
  /// - Back-pressure: The next element is requested after the call for the previous element has
  ///   returned. So at most one call waits in the queue. If the sequence keeps only its latest
  ///   element, the next call receives that element.
  /// - Cancellation: The observation of a stream ends, also for its other readers. If `queue` is
  ///   serial, and the token is cancelled or released on `queue`, no call of `observer` or
  ///   `completion` begins after that. If the token is cancelled or released elsewhere, at most one
  ///   call is still running or about to begin. If an event of
  ///   ``EventChannel/keepForFirstObserver(_:)`` was read, but `observer` is not called any more, the
  ///   event returns to its channel.
  /// - Ownership: `observer` and `completion` are released after the call of `completion`, or when
  ///   the token is cancelled or released. The reading task retains the sequence until the task ends.
  /// - Complexity: One task. Each element costs one block on the queue and one resumption of the
  ///   task.
  public func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void = { _ in }
  ) -> CancellationToken {
    let callbackObserver = CallbackObserver(queue: queue, observer: observer, completion: completion)
    let liveObject = LiveObjectToken(.task, "observe on DispatchQueue")
    let task = Task {
      defer { liveObject.end() }
      await callbackObserver.receive(self)
    }
    return CancellationToken {
      callbackObserver.leave()
      task.cancel()
    }
  }
}

/// Keeps the two callbacks until no more calls may begin.
private final class CallbackObserver<Element: Sendable, Failure: Error>: Sendable {
  private struct Callbacks: Sendable {
    let observer: @Sendable (Element) -> Void
    let completion: @Sendable (Result<Void, Failure>) -> Void
  }

  private let queue: DispatchQueue
  private let callbacks: Mutex<Callbacks?>

  init(
    queue: DispatchQueue, observer: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    self.queue = queue
    callbacks = Mutex(Callbacks(observer: observer, completion: completion))
  }

  func leave() { callbacks.take() }

  private func complete(_ ending: Result<Void, Failure>) {
    let last = callbacks.take()
    withExtendedLifetime(last) { last?.completion(ending) }
  }

  func receive<Source: AsyncSequence>(_ source: Source) async
  where Source.Element == Element, Source.Failure == Failure {
    let ending = await source.forEachElement { await pass($0) }
    if let ending { queue.async { self.complete(ending) } }
  }

  /// Calls the observer on the queue, unless the token was cancelled before. Returns whether the
  /// observer was called.
  private func pass(_ element: Element) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        let callbacks = self.callbacks.withLock { $0 }
        callbacks?.observer(element)
        continuation.resume(returning: callbacks != nil)
      }
    }
  }
}
