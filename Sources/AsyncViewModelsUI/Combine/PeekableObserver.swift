#if canImport(Combine)
  import Synchronization

  /// An observer that can tell what a read would find, without a read.
  protocol PeekableObserver<Element>: ElementObserver {
    /// Returns what ``ElementObserver/poll(after:)`` would find, and reads nothing.
    ///
    /// - Parameter parking: The waiter with which the caller has just waited, if any. It becomes free for the next wait.
    func peek(after parking: Parking) -> Peek
  }

  /// What a read would find.
  enum Peek: Sendable {
    case element
    case nothing
    case ended
  }

  extension PeekableObserver {
    /// Waits until there may be something to read, or until the observation has ended. Reads nothing.
    func waitForSomething() async {
      var parking = Parking.none
      unsafe await withUnsafeContinuation { continuation in
        parking = unsafe park(continuation)
        if case .none = parking { unsafe continuation.resume() }
      }
      _ = peek(after: parking)
    }
  }

  extension LatestValueObserver: PeekableObserver {
    func peek(after parking: Parking) -> Peek {
      storage.guarded.withLock { storage in
        waiters.checkIn(parking)
        if hasLeft { return .ended }
        if seenVersion != storage.version { return .element }
        return storage.isFinished ? .ended : .nothing
      }
    }
  }

  extension BufferedObserver: PeekableObserver {
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
#endif
