public import Dispatch
public import Synchronization

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
  /// | topic | guarantee |
  /// | --- | --- |
  /// | order | `observer` receives one element at a time, in order. After the end, `completion` is called once: with success, or with the error of the sequence. |
  /// | slow queue | The next element is requested after the call for the previous element has returned. A stream of states then continues with the latest. |
  /// | cancellation on a serial `queue` | No call of `observer` or `completion` begins after the token is cancelled or released. |
  /// | cancellation elsewhere | At most one call is still running or about to begin. |
  /// | kept event that was read too late | Returns to its channel. See ``EventChannel/keepForFirstObserver(_:)``. |
  ///
  /// - Isolation: `observer` and `completion` run on `queue`.
  /// - Cancellation: The stream ends, also for its other readers.
  /// - Ownership: `observer` and `completion` are released after the call of `completion`, or when
  ///   the token is cancelled or released. The reading task retains the sequence until the task
  ///   ends.
  /// - Complexity: One task. Each element costs one block on the queue and one resumption of the
  ///   task.
  @export(implementation)
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
@usableFromInline
final class CallbackObserver<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Callbacks = (
    observer: @Sendable (Element) -> Void, completion: @Sendable (Result<Void, Failure>) -> Void
  )

  @usableFromInline let queue: DispatchQueue
  @usableFromInline let callbacks: Mutex<Callbacks?>

  @export(implementation)
  init(
    queue: DispatchQueue, observer: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    self.queue = queue
    callbacks = Mutex((observer, completion))
  }

  @export(implementation)
  func leave() { callbacks.take() }

  @export(implementation)
  func complete(_ ending: Result<Void, Failure>) {
    let last = callbacks.take()
    withExtendedLifetime(last) { last?.completion(ending) }
  }

  @export(implementation)
  func receive<Source: AsyncSequence>(_ source: Source) async
  where Source.Element == Element, Source.Failure == Failure {
    let ending = await source.forEachElement { await pass($0) }
    if let ending { queue.async { self.complete(ending) } }
  }

  /// Calls the observer on the queue, unless the token was cancelled before. Returns whether the
  /// observer was called.
  @export(implementation)
  func pass(_ element: Element) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        let callbacks = self.callbacks.withLock { $0 }
        callbacks?.observer(element)
        continuation.resume(returning: callbacks != nil)
      }
    }
  }
}
