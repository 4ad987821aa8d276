public import Synchronization

extension LatestValueObserver {
  /// Returns the next value when the frame in which the reader asks for it is over, or `nil` at the
  /// end.
  ///
  /// While the reader waits for the frame, it is not in the list of waiting readers. So changes do
  /// not resume it.
  @concurrent @export(implementation)
  func next(pacing: FramePacing) async -> Value? {
    let request = pacing.elapsed()
    var found = Poll<Value>.nothing
    while case .nothing = found {
      let parking = await waitForChange()
      if hasLaterValue { try? await pacing.waitForFrame(request) }
      // A cancellation ends the wait and the observation. A wait that only tests whether the task
      // is cancelled can end before the cancellation handler of the stream has called this method.
      if Task.isCancelled { leave() }
      // Another task that reads the same stream may have taken the value.
      found = poll(after: parking)
    }
    return if case .element(let value) = found { value } else { nil }
  }

  /// Returns when there may be something to read, without reading it.
  @export(implementation)
  func waitForChange() async -> Parking {
    var parking = Parking.none
    unsafe await withUnsafeContinuation(isolation: nil) { continuation in
      parking = unsafe park(continuation)
      if parking.isNone { unsafe continuation.resume() }
    }
    return parking
  }

  /// Whether there is an unread value that is not the first value of this observer.
  @export(implementation)
  var hasLaterValue: Bool {
    storage.guarded.withLock { !hasLeft && seenVersion != 0 && seenVersion != $0.version }
  }

  /// Returns a stream of the values, at most one in each frame.
  @export(implementation)
  func makeStream(pacing: FramePacing) -> AsyncStream<Value> {
    AsyncStream(unfolding: { await self.next(pacing: pacing) }, onCancel: { self.leave() })
  }

  /// Returns a stream of the transformed values without consecutive duplicates, at most one in each
  /// frame.
  @export(implementation)
  func makeStream<Projected: Equatable & Sendable>(
    distinct transform: @escaping @Sendable (Value) -> Projected, pacing: FramePacing
  ) -> AsyncStream<Projected> {
    let last = LastElement<Projected>()
    return AsyncStream(
      unfolding: {
        while let value = await self.next(pacing: pacing) {
          let projected = transform(value)
          if last.changes(to: projected) { return projected }
        }
        return nil
      },
      onCancel: { self.leave() })
  }
}

extension StateSource {
  /// Creates an observer that yields the current state at once, and then the latest state at most
  /// once in each frame.
  ///
  /// Use it for a screen whose state can change more often than the screen is drawn. See
  /// ``FramePacing`` for the guarantees. Those of ``states(_:)`` also apply.
  @export(implementation)
  public nonisolated func states(pacing: FramePacing) -> AsyncStream<State> {
    LatestValueObserver(of: checkedStore.storage).makeStream(pacing: pacing)
  }

  /// Creates an observer of a projection of the state, at most once in each frame.
  ///
  /// The stream omits each projected value that equals the last value that it has yielded.
  /// `projection` runs in the reading task, but on no actor, at most once in each frame.
  @export(implementation)
  public nonisolated func states<Projected: Equatable & Sendable>(
    of projection: @escaping @Sendable (State) -> Projected, pacing: FramePacing
  ) -> AsyncStream<Projected> {
    LatestValueObserver(of: checkedStore.storage).makeStream(distinct: projection, pacing: pacing)
  }
}
