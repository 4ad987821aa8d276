public import Synchronization

/// Delivers events that happen once, such as an alert or a navigation, to any number of observers.
///
/// Unlike the value of a state, an event is not repeated for later observers.
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | ``send(_:)`` | Each event reaches every current observer once, in order. Later observers miss it. |
/// | ``keepForFirstObserver(_:)`` | Only the first observer that reads receives the event. Never dropped. |
/// | Order | Sent and kept events have one common order. Each observer reads its events in that order. |
/// | Slow observer | Its ``BufferingPolicy`` applies. It delays neither the sender nor the other observers. |
/// | Finish | Streams yield their unread events, then end. Later streams yield the kept events, then end. |
/// | Deallocation | Streams finish when this object is deallocated. A stream does not keep it alive. |
/// | Leaving | Cancelling the reading task or releasing the stream, as `break` can do, removes the observer. |
///
/// - Isolation: None. Call every member from any thread or actor.
/// - Lifetime: In an optimized build, a local variable keeps this object alive only until the last
///   use of the variable.
/// - Complexity: A send takes one lock, and one append for each observer. A send never runs an
///   observer's code.
public final class EventChannel<Event: Sendable>: Sendable {
  @usableFromInline let storage = EventStorage<Event>()

  /// Creates a channel without observers.
  @export(implementation)
  public init() {}

  /// Delivers `event` to every current observer. Does nothing after ``finish()``.
  @export(implementation)
  public func send(_ event: Event) {
    withExtendedLifetime(event) { storage.post(event)?.resume() }
  }

  /// Returns a stream that begins with `first`, if it is not `nil`.
  @export(implementation)
  package func events(startingWith first: Event?) -> AsyncStream<Event> {
    storage.makeObserver(.unbounded, first: first).makeStream()
  }

  /// Keeps `event` until one observer reads it. Does nothing after ``finish()``.
  ///
  /// Use this method for an event that can be sent before its observer exists, such as a navigation
  /// that is requested before the screen observes the channel. Use ``send(_:)`` for events that
  /// recur without a user's action: kept events accumulate until an observer reads them.
  ///
  /// | the observer | the event |
  /// | --- | --- |
  /// | leaves without reading it | remains for the next observer |
  /// | has read it through `observe` or `observe(on:_:completion:)`, and ends before its code is called | returns to the channel; the next observer reads it before later events |
  /// | has an unbounded buffer and has already taken later events | is read after them |
  @export(implementation)
  public func keepForFirstObserver(_ event: Event) {
    withExtendedLifetime(event) { Waiter.wakeAll(storage.keep(event)) }
  }

  /// Keeps `event` until one observer reads it, unless an equal event is kept already. See
  /// ``keepForFirstObserver(_:)``.
  ///
  /// Use this method for the route of a tap: two taps before the screen has changed open one
  /// screen.
  ///
  /// - Complexity: O(kept events).
  @export(implementation)
  public func keepOnceForFirstObserver(_ event: Event) where Event: Equatable {
    var waiting: Waiter??
    repeat {
      // Compared outside the lock, because the app's `==` can run any code.
      let (kept, number) = storage.keptEvents
      if kept.contains(event) { return }
      waiting = storage.keep(event, ifLast: number)
    } while waiting == nil
    waiting.map { Waiter.wakeAll($0) }
  }

  /// Ends all streams after their unread events have been read.
  @export(implementation)
  public func finish() { Waiter.wakeAll(storage.finish()) }

  /// Creates an observer that yields the kept events and every event that is sent from this call
  /// on, as `buffering` specifies.
  ///
  /// Create one stream for each task: two tasks that read one stream split its events, and
  /// cancelling one of them ends the stream for both.
  @export(implementation)
  public func stream(_ buffering: BufferingPolicy = .unbounded) -> AsyncStream<Event> {
    storage.makeObserver(buffering).makeStream()
  }

  /// Creates an observer as a concrete sequence, with all guarantees of ``stream(_:)``. The
  /// sequence costs less than an `AsyncStream` and counts dropped events.
  @export(implementation)
  public func events(_ buffering: BufferingPolicy = .unbounded) -> ObserverSequence<Event> {
    ObserverSequence(.buffer(storage.makeObserver(buffering)))
  }

  /// The number of observers that were created and have neither ended nor been released.
  @export(implementation) public var observerCount: Int { storage.observerCount }

  /// The number of kept events that no observer has taken.
  @export(implementation) package var keptCount: Int { storage.guarded.withLock { $0.kept.count } }

  /// The total number of events that the observers with bounded buffers have dropped.
  @export(implementation) public var droppedCount: Int { storage.droppedCount }

  @inlinable
  deinit { finish() }
}
