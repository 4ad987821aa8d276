public import Synchronization

/// Things that happen once (an alert, a navigation), for any number of observers. Unlike state, an event is never replayed.
///
/// | what | promise |
/// | --- | --- |
/// | broadcast, ``send(_:)`` | each event once to every observer that is there, in order; nobody there, nothing kept |
/// | held, ``keepForFirstObserver(_:)`` | each event once to exactly one observer: whoever reads it first, now or later. It is never dropped |
/// | order | one order for both kinds; an observer reads in that order |
/// | slow observer | keeps what its ``BufferingPolicy`` says, delays neither the sender nor the others, and counts what it dropped |
/// | finish | what is unread, then the end. A stream asked for afterwards yields what is still held, then ends |
/// | owner's end | when this object goes away its streams finish; a stream does not keep it alive |
/// | leaving | cancelling the task, `break`, or dropping the stream frees the observer and what it had not read |
///
/// - Isolation: none. Every member may be called from any thread or actor.
/// - Lifetime: a local variable keeps this object only until its last use in an optimized build.
/// - Cost: a send is one lock and one append for each observer; it never runs an observer's code.
public final class EventChannel<Event: Sendable>: Sendable {
  @usableFromInline let storage = EventStorage<Event>()

  @inlinable
  public init() {}

  /// Hands `event` to every observer that is there now. After ``finish()`` it does nothing.
  @inlinable
  public func send(_ event: Event) {
    withExtendedLifetime(event) { storage.post(event)?.resume() }
  }

  /// Keeps `event` until one observer takes it: the navigation that fires before the screen has bound. An observer that leaves
  /// without having read it leaves it for the next one. After ``finish()`` it does nothing.
  ///
  /// What is held has neither a bound nor an age: it grows until somebody reads. So hold what follows from something that a person did,
  /// and send what happens by itself, again and again.
  @inlinable
  public func keepForFirstObserver(_ event: Event) {
    withExtendedLifetime(event) { Waiter.resumeAll(storage.keep(event)) }
  }

  /// Ends all streams, once what is unread has been read.
  @inlinable
  public func finish() { Waiter.resumeAll(storage.finish()) }

  /// A new observer: what is held, and every event from this call on.
  ///
  /// Reading one stream from two tasks splits its events between them, and cancelling one of the tasks ends it for both.
  @inlinable
  public func stream(_ buffering: BufferingPolicy = .unbounded) -> AsyncStream<Event> {
    storage.makeObserver(buffering).makeStream()
  }

  /// A new observer as a concrete sequence: the promises of ``stream(_:)`` at a lower price, with a count of what it dropped.
  @inlinable
  public func events(_ buffering: BufferingPolicy = .unbounded) -> ObservedElements<Event> {
    ObservedElements(.buffer(storage.makeObserver(buffering)))
  }

  /// How many observers there are: handed out, and neither ended nor gone.
  @inlinable public var observerCount: Int { storage.observerCount }

  /// How many held events nobody has taken yet.
  @inlinable public var keptCount: Int { storage.guarded.withLock { $0.kept.count } }

  /// How many events the observers' bounds made them drop, all of them together.
  @inlinable public var droppedCount: Int { storage.droppedCount }

  @inlinable
  deinit { finish() }
}
