public import Synchronization

extension ObservableState {
  /// A new observer: the current value, then what follows, as `buffering` says.
  ///
  /// The observer is there from this call on, not from the first iteration. Reading one stream from two tasks splits its values
  /// between them, and cancelling one of the tasks ends it for both: ask for a stream each.
  @inlinable
  public func stream(_ buffering: BufferingPolicy = .latest) -> AsyncStream<Value> {
    switch buffering {
    case .latest: LatestValueSubscription(of: storage).makeStream()
    case .bounded, .unbounded: storage.makeBufferingObserver(buffering).makeStream()
    }
  }

  /// A new observer of what `projection` makes of the value, left out where it equals what this stream yielded before.
  ///
  /// `projection` runs in the reader's task, but on no actor. A key path literal will do: `stream(of: \.total)`.
  @inlinable
  public func stream<Projected: Equatable & Sendable>(
    of projection: @escaping @Sendable (Value) -> Projected, _ buffering: BufferingPolicy = .latest
  ) -> AsyncStream<Projected> {
    switch buffering {
    case .latest: LatestValueSubscription(of: storage).makeStream(distinct: projection)
    case .bounded, .unbounded: storage.makeBufferingObserver(buffering).makeStream(distinct: projection)
    }
  }

  /// A new observer without neighbours that are equal.
  @inlinable
  public func distinctStream(_ buffering: BufferingPolicy = .latest) -> AsyncStream<Value>
  where Value: Equatable {
    stream(of: { $0 }, buffering)
  }

  /// A new observer as a concrete sequence: the promises of ``stream(_:)`` at a lower price, with a count of what it dropped.
  @inlinable
  public func values(_ buffering: BufferingPolicy = .latest) -> ObservedElements<Value> {
    switch buffering {
    case .latest: ObservedElements(.latest(LatestValueSubscription(of: storage)))
    case .bounded, .unbounded: ObservedElements(.buffer(storage.makeBufferingObserver(buffering)))
    }
  }

  /// How many observers there are: handed out, and neither ended nor gone.
  @inlinable public var observerCount: Int {
    storage.latestObserverCount.load(ordering: .relaxed) + (storage.history?.observerCount ?? 0)
  }

  /// How many values the bounded observers of this state had to drop, all of them together.
  @inlinable public var droppedCount: Int {
    storage.history?.droppedCount ?? 0
  }
}

extension StateStorage {
  @inlinable var history: EventStorage<Value>? {
    guarded.withLock { $0.history }
  }

  /// Hands out and registers in one step, so that no value falls in between.
  @inlinable
  func makeBufferingObserver(_ buffering: BufferingPolicy) -> BufferedSubscription<Value> {
    guarded.withLock { storage in
      let history = storage.history ?? EventStorage()
      storage.history = history
      if storage.isFinished { _ = history.finish() }
      return history.makeObserver(buffering, first: storage.value)
    }
  }
}

extension EventStorage {
  @inlinable var observerCount: Int { guarded.withLock { $0.buffers.count } }

  @inlinable var droppedCount: Int {
    guarded.withLock { storage in
      storage.buffers.reduce(storage.droppedByThoseWhoLeft) { $0 + $1.elements.droppedCount }
    }
  }
}
