public import Synchronization

extension ObservableState {
  /// A new observer: the current value, then what follows, as `buffering` says.
  ///
  /// The observer is there from this call on, not from the first iteration. Reading one stream from two tasks splits its values
  /// between them, and cancelling one of the tasks ends it for both: ask for a stream each.
  @inlinable
  public func stream(_ buffering: Buffering = .latest) -> AsyncStream<Value> {
    switch buffering {
    case .latest: LatestObserver(of: hub).makeStream()
    case .bounded, .unbounded: hub.makeBufferingObserver(buffering).makeStream()
    }
  }

  /// A new observer of what `projection` makes of the value, left out where it equals what this stream yielded before.
  ///
  /// `projection` runs in the reader's task, but on no actor. A key path literal will do: `stream(of: \.total)`.
  @inlinable
  public func stream<Projected: Equatable & Sendable>(
    of projection: @escaping @Sendable (Value) -> Projected, _ buffering: Buffering = .latest
  ) -> AsyncStream<Projected> {
    switch buffering {
    case .latest: LatestObserver(of: hub).makeStream(distinct: projection)
    case .bounded, .unbounded: hub.makeBufferingObserver(buffering).makeStream(distinct: projection)
    }
  }

  /// A new observer without neighbours that are equal.
  @inlinable
  public func distinctStream(_ buffering: Buffering = .latest) -> AsyncStream<Value> where Value: Equatable {
    stream(of: { $0 }, buffering)
  }

  /// A new observer as a concrete sequence: the promises of ``stream(_:)`` at a lower price, with a count of what it dropped.
  @inlinable
  public func values(_ buffering: Buffering = .latest) -> ObservedElements<Value> {
    switch buffering {
    case .latest: ObservedElements(.latest(LatestObserver(of: hub)))
    case .bounded, .unbounded: ObservedElements(.mailbox(hub.makeBufferingObserver(buffering)))
    }
  }

  /// How many observers there are: handed out, and neither ended nor gone.
  @inlinable public var observerCount: Int {
    hub.latestObserverCount.load(ordering: .relaxed) + (hub.history?.observerCount ?? 0)
  }

  /// How many values the bounded observers of this state had to drop, all of them together.
  @inlinable public var droppedCount: Int {
    hub.history?.droppedCount ?? 0
  }
}

extension StateHub {
  @inlinable var history: EventHub<Value>? {
    guarded.withLock { $0.history }
  }

  /// Hands out and registers in one step, so that no value falls in between.
  @inlinable
  func makeBufferingObserver(_ buffering: Buffering) -> MailboxObserver<Value> {
    guarded.withLock { hub in
      let history = hub.history ?? EventHub()
      hub.history = history
      if hub.isFinished { _ = history.finish() }
      return history.makeObserver(buffering, first: hub.value)
    }
  }
}

extension EventHub {
  @inlinable var observerCount: Int { guarded.withLock { $0.mailboxes.count } }

  @inlinable var droppedCount: Int {
    guarded.withLock { hub in
      hub.mailboxes.reduce(hub.droppedByThoseWhoLeft) { $0 + $1.inbox.droppedCount }
    }
  }
}
