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

/// The storage that an ``EventChannel`` shares with its observers.
///
/// The storage contains a buffer for each observer, the kept events, and the observers that wait
/// for an event. A ``StateStore`` that has observers with buffers also has such a storage.
@usableFromInline
final class EventStorage<Element: Sendable>: Sendable {
  @usableFromInline
  struct Guarded: ~Copyable, Sendable {
    @usableFromInline var buffers: ContiguousArray<SubscriberBuffer<Element>> = []
    @usableFromInline var kept = RingBuffer<Numbered<Element>>(.unbounded)
    @usableFromInline var waiting = WaiterList()
    @usableFromInline var isFinished = false
    /// The number of the last event. Sent and kept events are numbered together, so that an
    /// observer can read them in the order of sending.
    @usableFromInline var sent: UInt64 = 0
    @usableFromInline var droppedByFormerObservers = 0

    @export(implementation) init() {}
  }

  @usableFromInline let guarded = Mutex(Guarded())

  @export(implementation) init() {}

  /// What the caller of ``post(_:)`` must do after it has released all locks, including the lock of
  /// a ``StateStore``.
  ///
  /// ``resume()`` resumes the waiting observers. The dropped elements are kept until then, because
  /// their `deinit` can run any code.
  @usableFromInline
  struct PostResult: Sendable {
    @usableFromInline let waiting: Waiter?
    @usableFromInline let dropped: [Numbered<Element>]

    @export(implementation)
    init(waiting: Waiter?, dropped: [Numbered<Element>]) {
      self.waiting = waiting
      self.dropped = dropped
    }

    @export(implementation)
    func resume() {
      withExtendedLifetime(dropped) { Waiter.wakeAll(waiting) }
    }
  }

  /// Appends `element` to every buffer.
  @export(implementation)
  func post(_ element: Element) -> PostResult? {
    guarded.withLock { storage -> PostResult? in
      guard !storage.isFinished else { return nil }
      storage.sent &+= 1
      let numbered = Numbered(number: storage.sent, element: element)
      var dropped: [Numbered<Element>] = []
      for buffer in storage.buffers {
        if let removed = buffer.elements.append(numbered) { dropped.append(removed) }
      }
      return PostResult(waiting: storage.waiting.removeAll(), dropped: dropped)
    }
  }

  /// Keeps `element` for the first observer that reads it. Returns the waiters to resume after the
  /// locks are released.
  @export(implementation)
  func keep(_ element: Element) -> Waiter? {
    guarded.withLock { storage -> Waiter? in
      guard !storage.isFinished else { return nil }
      storage.sent &+= 1
      _ = storage.kept.append(Numbered(number: storage.sent, element: element))
      return storage.waiting.removeAll()
    }
  }

  /// The kept events, and the number of the last event.
  @export(implementation)
  var keptEvents: ([Element], UInt64) {
    guarded.withLock { storage in ((0..<storage.kept.count).map { storage.kept[$0].element }, storage.sent) }
  }

  /// Keeps `element` if `number` is still the number of the last event. Otherwise, returns `nil`.
  @export(implementation)
  func keep(_ element: Element, ifLast number: UInt64) -> Waiter?? {
    guarded.withLock { storage -> Waiter?? in
      guard storage.sent == number else { return nil }
      guard !storage.isFinished else { return .some(nil) }
      storage.sent &+= 1
      _ = storage.kept.append(Numbered(number: storage.sent, element: element))
      return .some(storage.waiting.removeAll())
    }
  }

  /// Puts back an event that an observer has taken but cannot use. The kept events, including this
  /// event, stay in the order of sending.
  ///
  /// Returns the waiters to resume after the locks are released.
  @export(implementation)
  func putBack(_ event: Numbered<Element>) -> Waiter? {
    guarded.withLock { storage -> Waiter? in
      var earlier: [Numbered<Element>] = []
      while let first = storage.kept.first, first.number < event.number {
        earlier.append(first)
        _ = storage.kept.removeFirst()
      }
      storage.kept.prepend(event)
      for event in earlier.reversed() { storage.kept.prepend(event) }
      return storage.waiting.removeAll()
    }
  }

  /// Stops accepting elements. Observers can still read the accepted ones.
  ///
  /// Returns the waiters to resume after the locks are released.
  @export(implementation)
  func finish() -> Waiter? {
    guarded.withLock { storage in
      storage.isFinished = true
      return storage.waiting.removeAll()
    }
  }

  @export(implementation)
  func makeObserver(_ buffering: BufferingPolicy, first: Element? = nil) -> BufferedObserver<Element> {
    let buffer = SubscriberBuffer<Element>(buffering)
    guarded.withLock { storage in
      if let first { _ = buffer.elements.append(Numbered(number: storage.sent, element: first)) }
      buffer.index = storage.buffers.count
      storage.buffers.append(buffer)
    }
    return BufferedObserver(buffer, of: self)
  }

  @export(implementation) var observerCount: Int { guarded.withLock { $0.buffers.count } }

  @export(implementation) var droppedCount: Int {
    guarded.withLock { storage in
      storage.buffers.reduce(storage.droppedByFormerObservers) { $0 + $1.elements.droppedCount }
    }
  }
}

/// An event and its number in the order in which its storage received events.
@usableFromInline
struct Numbered<Element> {
  @usableFromInline let number: UInt64
  @usableFromInline let element: Element

  @export(implementation)
  init(number: UInt64, element: Element) {
    self.number = number
    self.element = element
  }
}

extension Numbered: Sendable where Element: Sendable {}
