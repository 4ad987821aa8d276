public import Synchronization

/// An observer that a publisher of `AsyncViewModelsUI` reads, and that can tell what a read would
/// find.
///
/// It consists of closures, so that only an app with publishers contains its code.
@usableFromInline
package struct PeekableObserver<Element: Sendable>: Sendable {
  /// Removes and returns the next element, if there is one. The handover can return a kept event.
  @usableFromInline package let poll: @Sendable (EventHandover) -> Poll<Element>

  /// Waits for the next element, and removes and returns it. The handover can return a kept event.
  @usableFromInline package let next: @Sendable (EventHandover) async -> Element?

  /// Returns what a read would find, and reads nothing.
  @usableFromInline package let peek: @Sendable () -> Peek

  /// Waits until there may be something to read, or until the observation has ended. Reads nothing.
  @usableFromInline package let waitForSomething: @Sendable () async -> Void

  /// Ends the observation.
  @usableFromInline package let leave: @Sendable () -> Void

  /// - Parameter peek: Returns what a read would find, after the observer has waited.
  @export(implementation)
  init<Observer: ElementObserver<Element>>(
    _ observer: Observer, peek: @escaping @Sendable (Observer, Parking) -> Peek
  ) {
    poll = { handover in handover.note { observer.poll(after: .none) } }
    next = { handover in await handover.note { await observer.next(isolation: nil) } }
    self.peek = { peek(observer, .none) }
    waitForSomething = {
      var parking = Parking.none
      unsafe await withUnsafeContinuation { continuation in
        parking = unsafe observer.park(continuation)
        if case .none = parking { unsafe continuation.resume() }
      }
      _ = peek(observer, parking)
    }
    leave = { observer.leave() }
  }
}

/// What a read would find.
@usableFromInline
package enum Peek: Sendable {
  case element
  case nothing
  case ended
}

extension StateStorage {
  /// Makes an observer for a publisher. It keeps neither the state nor the view model alive.
  @export(implementation)
  package func peekableObserver(_ buffering: BufferingPolicy) -> PeekableObserver<Value> {
    switch buffering {
    case .latest: PeekableObserver(LatestValueObserver(of: self)) { $0.peek(after: $1) }
    case .bounded, .unbounded:
      PeekableObserver(makeBufferingObserver(buffering)) { $0.peek(after: $1) }
    }
  }
}

extension EventChannel {
  /// Returns a function that makes observers of this channel, and does not keep the channel.
  @export(implementation)
  package var makePeekableObserver: @Sendable (BufferingPolicy) -> PeekableObserver<Event> {
    { [storage] in PeekableObserver(storage.makeObserver($0)) { $0.peek(after: $1) } }
  }
}

extension LatestValueObserver {
  @export(implementation)
  func peek(after parking: Parking) -> Peek {
    storage.guarded.withLock { storage in
      waiters.checkIn(parking)
      if hasLeft { return .ended }
      if seenVersion != storage.version { return .element }
      return storage.isFinished ? .ended : .nothing
    }
  }
}

extension BufferedObserver {
  @export(implementation)
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
