public import Dispatch
import Synchronization

/// Calls back on a queue for each element of a sequence: a stream in, legacy observation out.
///
/// ```swift
/// token = deliver(viewModel.states(), on: .main) { state in
///   MainActor.assumeIsolated { label.text = state.title }
/// }
/// ```
///
/// - Promises: `observer` is called on `queue`, for one element after the other, in their order; then `completion`,
///   once, with the error that ended the sequence, if any.
/// - Back-pressure: the next element is asked for when the call before has returned. So at most one call waits in the
///   queue, and a sequence that conflates goes on with the latest; nothing piles up in between.
/// - Cancellation: after `cancel()` of the token, or its end, on the (serial) `queue`, nothing more is called, not even
///   `completion`. From anywhere else, at most one call is still running or about to begin when it returns.
/// - Ownership: the task that reads holds the sequence, `observer` and `completion` until the end; the token's keeper
///   decides how long.
/// - Cost: one task; per element one turn of the queue and the way back.
public func deliver<Source: AsyncSequence & SendableMetatype>(
  _ source: sending Source, on queue: DispatchQueue,
  to observer: @escaping @Sendable (Source.Element) -> Void,
  completion: @escaping @Sendable (Result<Void, Source.Failure>) -> Void = { _ in }
) -> CancellationToken where Source.Element: Sendable {
  let recipient = Recipient(queue: queue, observer: observer, completion: completion)
  let entry = LiveObjectToken(.task, "deliver")
  let task = Task {
    defer { entry.end() }
    await recipient.receive(source)
  }
  return CancellationToken {
    recipient.leave()
    task.cancel()
  }
}

/// The two callbacks, for as long as they may be called.
private final class Recipient<Element: Sendable, Failure: Error>: Sendable {
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

  func leave() {
    // What the callbacks captured is released after the unlock: a deinit can be any code.
    withExtendedLifetime(callbacks.withLock { $0.take() }) {}
  }

  private func complete(_ ending: Result<Void, Failure>) {
    let last = callbacks.withLock { $0.take() }
    withExtendedLifetime(last) { last?.completion(ending) }
  }

  func receive<Source: AsyncSequence>(_ source: Source) async
  where Source.Element == Element, Source.Failure == Failure {
    var iterator = source.makeAsyncIterator()
    let ending: Result<Void, Failure>
    do throws(Failure) {
      while let element = try await iterator.next(isolation: #isolation) { await pass(element) }
      ending = .success(())
    } catch {
      ending = .failure(error)
    }
    queue.async { self.complete(ending) }
  }

  private func pass(_ element: Element) async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.callbacks.withLock { $0 }?.observer(element)
        continuation.resume()
      }
    }
  }
}
