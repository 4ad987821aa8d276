public import Synchronization

/// Returns a kept event to its channel if the observer that has read the event cannot use it.
///
/// An observer that runs its body on another executor can be cancelled between the read and the
/// body. So ``next(_:isolation:)`` notes the kept event, and ``giveBack()`` returns it to its
/// channel.
///
/// ``BufferedObserver`` finds this object in a task-local value, because an `AsyncStream` passes
/// only elements. The value is set only during a read, so a read in the observer's body does not
/// reach this object. A task that the read itself creates, for example in `debounced(for:)`,
/// inherits the value: ``note(_:from:)`` ignores the reads of other tasks.
@usableFromInline
package final class EventHandover: Sendable {
  @TaskLocal static var current: EventHandover?

  @usableFromInline let returnEvent = Mutex<(@Sendable () -> Void)?>(nil)
  private let task = unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }

  package init() {}

  /// Reads the next element on the caller's actor, and notes the kept event that the read returns.
  /// Forgets the event of the last read.
  func next<Source: AsyncIteratorProtocol>(
    _ iterator: inout Source, isolation: isolated (any Actor)? = #isolation
  ) async throws(Source.Failure) -> Source.Element? {
    forget()
    let result = await note {
      do throws(Source.Failure) {
        return Result<Source.Element?, Source.Failure>.success(try await iterator.next(isolation: isolation))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Notes the kept event that `read` returns, in the task of this observer.
  @usableFromInline
  package func note<Output>(_ read: () -> Output) -> Output { Self.$current.withValue(self, operation: read) }

  /// Notes the kept event that `read` returns, in the task of this observer.
  @usableFromInline
  package func note<Output>(
    isolation: isolated (any Actor)? = #isolation, _ read: () async -> Output
  ) async -> Output {
    await Self.$current.withValue(self, operation: read, isolation: isolation)
  }

  /// The read in progress of the observer, if this task makes it.
  @usableFromInline static var ofThisTask: EventHandover? {
    guard let current, unsafe withUnsafeCurrentTask(body: { unsafe $0?.hashValue }) == current.task else {
      return nil
    }
    return current
  }

  fileprivate func forget() { returnEvent.take() }

  /// Returns the kept event of the last read, if any, to its channel.
  package func giveBack() { returnEvent.take()?() }

  /// Notes `event`, the result of the current read, if ``next(_:isolation:)`` makes this read in
  /// the observer's task. Otherwise, does nothing.
  @export(implementation)
  static func note<Event: Sendable>(_ event: Numbered<Event>, from storage: EventStorage<Event>) {
    guard let current = ofThisTask else { return }
    current.returnEvent.exchange { Waiter.wakeAll(storage.putBack(event)) }
  }
}

extension AsyncStream where Element: Sendable {
  /// Transforms the elements on the main actor, and omits each `nil`.
  ///
  /// Use it to take some events out of a stream and to handle the others. If `observe(on:_:)` reads
  /// the new stream, no kept event is lost:
  ///
  /// ```swift
  /// let alerts = model.events().compactMapOnMainActor { [weak router] event in
  ///   if case .alert(let alert) = event { return alert }
  ///   router?.handle(event)
  ///   return nil
  /// }
  /// ```
  ///
  /// - Ordering: While the reader uses an element, the elements after it wait.
  /// - Cancellation: The stream ends when its reader is cancelled, or with the elements. After a
  ///   cancellation on the main actor, `transform` does not begin, and a kept event that
  ///   `observe(on:_:)` has read returns to its channel. `transform` can run again for an event
  ///   that has returned.
  /// - Ownership: The reader retains the new stream, which retains this stream and `transform`.
  public func compactMapOnMainActor<Transformed: Sendable>(
    _ transform: @escaping @MainActor (Element) -> Transformed?
  ) -> AsyncStream<Transformed> {
    AsyncStream<Transformed> {
      for await element in self {
        let result = await MainActor.run { Task.isCancelled ? nil : Optional(transform(element)) }
        guard let result else {
          EventHandover.ofThisTask?.giveBack()
          return nil
        }
        if let result { return result }
        EventHandover.ofThisTask?.forget()
      }
      return nil
    }
  }
}
