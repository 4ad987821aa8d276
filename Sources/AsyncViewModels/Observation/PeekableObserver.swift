import Synchronization

/// An observer that a publisher of `AsyncViewModelsUI` reads, and that can tell what a read would
/// find.
package protocol PeekableObserver<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Removes and returns the next element, if there is one. `handover` can return a kept event.
  func poll(_ handover: EventHandover) -> Poll<Element>

  /// Waits for the next element, and removes and returns it. `handover` can return a kept event.
  func next(_ handover: EventHandover) async -> Element?

  /// Returns what a read would find, and reads nothing.
  func peek() -> Peek

  /// Waits until there may be something to read, or until the observation has ended. Reads nothing.
  func waitForSomething() async

  /// Ends the observation.
  func leave()
}

/// What a read would find.
package enum Peek: Sendable {
  case element
  case nothing
  case ended
}

extension StateStorage {
  /// Makes an observer for a publisher. It keeps neither the state nor the view model alive.
  package func peekableObserver(_ buffering: BufferingPolicy) -> any PeekableObserver<Value> {
    switch buffering {
    case .latest: LatestValueObserver(of: self)
    case .bounded, .unbounded: makeBufferingObserver(buffering)
    }
  }
}

extension EventChannel {
  /// Returns a function that makes observers of this channel, and does not keep the channel.
  package var makePeekableObserver: @Sendable (BufferingPolicy) -> any PeekableObserver<Event> {
    { [storage] in storage.makeObserver($0) }
  }
}

/// An observer that peeks after it has waited.
private protocol Peeking: ElementObserver {
  func peek(after parking: Parking) -> Peek
}

extension Peeking {
  func poll(_ handover: EventHandover) -> Poll<Element> {
    EventHandover.$current.withValue(handover) { poll(after: .none) }
  }

  func next(_ handover: EventHandover) async -> Element? {
    await EventHandover.$current.withValue(handover) { await next(isolation: nil) }
  }

  func peek() -> Peek { peek(after: .none) }

  func waitForSomething() async {
    var parking = Parking.none
    unsafe await withUnsafeContinuation { continuation in
      parking = unsafe park(continuation)
      if case .none = parking { unsafe continuation.resume() }
    }
    _ = peek(after: parking)
  }
}

extension LatestValueObserver: Peeking, PeekableObserver {
  func peek(after parking: Parking) -> Peek {
    storage.guarded.withLock { storage in
      waiters.checkIn(parking)
      if hasLeft { return .ended }
      if seenVersion != storage.version { return .element }
      return storage.isFinished ? .ended : .nothing
    }
  }
}

extension BufferedObserver: Peeking, PeekableObserver {
  func peek(after parking: Parking) -> Peek {
    taken.withLock { taken in
      storage.guarded.withLock { storage in
        buffer.waiters.checkIn(parking)
        if buffer.index == nil { return .ended }
        if !taken.isEmpty || !buffer.elements.isEmpty || !storage.kept.isEmpty { return .element }
        return storage.isFinished ? .ended : .nothing
      }
    }
  }
}
