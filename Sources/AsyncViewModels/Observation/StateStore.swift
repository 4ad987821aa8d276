public import Synchronization

/// A value that changes over time and that any number of observers can follow, such as a view
/// model's state.
///
/// ```swift
/// let state = StateStore(0)
/// let observation = Task { for await value in state.states() { print(value) } }
/// state.update { $0 += 1 }
/// ```
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | First value | The current value at the first read. |
/// | Order | All observers receive values in one order. None receives an older value after a newer one. |
/// | Slow observer | Skips to the latest value. It delays neither the sender nor the other observers. |
/// | Last value | Never lost. Once sending stops, every observer receives the newest value. |
/// | Finish | A stream ends after it has yielded the last value. So does a stream that is created later. |
/// | Deallocation | Like ``finish()``. A stream does not keep this object alive. |
/// | Leaving | Cancelling the reading task or releasing the stream, as `break` can do, removes the observer. |
/// | Equal values | Delivered. ``states(of:_:)`` omits equal values. |
/// | Snapshot | ``value`` is synchronous, and never older than a value that a stream has yielded. |
///
/// The table describes the default policy, ``BufferingPolicy/latest``. A stream with another
/// ``BufferingPolicy`` begins with the value that is current when the stream is created. A bounded
/// buffer that drops the newest value can lose the last value.
///
/// - Isolation: None. Call every member from any thread or actor.
/// - Lifetime: In an optimized build, a local variable keeps this object alive only until the last
///   use of the variable.
/// - Complexity: A send takes one lock and one store, and never runs an observer's code. If no
///   observer waits and none has a buffer, it allocates nothing. An observer without a buffer
///   stores one version number. Each of its waits costs one resumption or, for an observation on
///   the main actor, one short task.
public final class StateStore<Value: Sendable>: Sendable {
  @usableFromInline package let storage: StateStorage<Value>

  /// Creates a state with its first value.
  @export(implementation)
  public init(_ initialValue: Value) { storage = StateStorage(initialValue) }

  /// The current value.
  ///
  /// - Precondition: Not called within the body of this state's own ``update(_:)``.
  @export(implementation) public var value: Value { storage.value }

  /// Replaces the value and wakes the waiting observers.
  ///
  /// Does nothing after ``finish()``. If the body of ``update(_:)`` sends a value to the same
  /// state, the send takes effect after that update is published.
  @export(implementation)
  public func send(_ value: Value) { storage.send(value) }

  /// Changes the value atomically.
  ///
  /// `body` runs exactly once, under the state's lock, so it must only compute. Observers receive
  /// its result, never a value in between. If `body` throws, the value is as before. After
  /// ``finish()``, `body` changes a copy of the value, which is discarded.
  ///
  /// Values that `body` replaces or removes are released after the unlock, so their `deinit` can
  /// run any code.
  ///
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws.
  /// - Precondition: `body` uses this state only to call ``send(_:)`` or to release one of its
  ///   streams without a buffer. Any other use waits for the lock that the update holds, which
  ///   terminates the process: with "Recursive call to lock Mutex" on Linux, and with a report of a
  ///   recursive lock on Apple platforms. In nested updates of two states, the inner update may
  ///   send to the outer state, but not read or update it. Two updates that send to each other's
  ///   state on two threads wait for each other: return from an update what to send, and send it
  ///   after the update.
  /// - Complexity: The update keeps the old value until `body` has ended, so a change to a
  ///   collection copies the storage of the collection. `updateInPlace(_:)` makes no copy.
  @export(implementation) @discardableResult
  public func update<Output: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try storage.update(copiesOldValue: true, body)
  }

  /// Changes the value atomically and in place, without a copy of the storage of its collections.
  ///
  /// Use this method to change a large collection that no observer has a copy of. All guarantees of
  /// ``update(_:)`` apply, with one exception: values that `body` replaces or removes can be
  /// released while the state's lock is held. A ``PagedState`` delays that.
  ///
  /// If `body` throws, observers receive nothing. There is no copy to which the value could go
  /// back, so `body` must only throw before it changes the value.
  ///
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws.
  /// - Precondition: As for ``update(_:)``. The precondition also applies to the `deinit` of each
  ///   value that `body` replaces or removes, and no such `deinit` waits for another thread.
  @export(implementation) @discardableResult
  public func updateInPlace<Output: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try storage.update(copiesOldValue: false, body)
  }

  /// Ends all streams after they have yielded the last value. Later sends and updates do not change
  /// the value.
  ///
  /// Observations on the main actor end at once, and their bodies are released on this thread,
  /// after the unlock.
  ///
  /// - Precondition: Not called within the body of this state's own ``update(_:)``.
  @export(implementation)
  public func finish() { storage.finish() }

  @inlinable
  deinit { storage.finish() }
}

/// A state can be observed like the view model that owns it: by a screen's bindings, by an
/// `StateMirror` and by `observe(on:)`.
extension StateStore: StateSource {
  /// The type of the value.
  public typealias State = Value

  /// This object.
  @export(implementation) public var store: StateStore<Value> { self }
}

extension StateStore {
  /// Creates an observer as a concrete sequence, with all guarantees of ``states(_:)``. The
  /// sequence counts dropped values. It needs less time than an `AsyncStream` to subscribe, to wait
  /// and to hand a value to another thread.
  @export(implementation)
  public func values(_ buffering: BufferingPolicy = .latest) -> ObserverSequence<Value> {
    switch buffering {
    case .latest: ObserverSequence(.latest(LatestValueObserver(of: storage)))
    case .bounded, .unbounded: ObserverSequence(.buffer(storage.makeBufferingObserver(buffering)))
    }
  }

  /// Waits until `match` returns a result other than `nil`, and returns that result.
  ///
  /// ```swift
  /// let total = try await cart.store.firstNonNil { $0.isLoading ? nil : $0.total }
  /// ```
  ///
  /// `match` receives the current value first, and then the latest value after each change. It may
  /// miss a value that is replaced quickly, so test a condition that stays true.
  ///
  /// - Isolation: `match` runs in the caller's isolation.
  /// - Throws: `CancellationError` if the task is cancelled, or if the state is finished and no
  ///   value has matched.
  @export(implementation)
  public nonisolated(nonsending) func firstNonNil<Output>(_ match: (Value) -> Output?) async throws -> Output
  {
    for await value in values() {
      if let output = match(value) { return output }
    }
    throw CancellationError()
  }

  /// Waits until a value satisfies `condition`, and returns that value. See ``firstNonNil(_:)``.
  ///
  /// ```swift
  /// try await cart.store.first { !$0.isLoading }
  /// ```
  @export(implementation) @discardableResult
  public nonisolated(nonsending) func first(where condition: (Value) -> Bool) async throws -> Value {
    try await firstNonNil { condition($0) ? $0 : nil }
  }

  /// The number of observers that were created and have neither ended nor been released.
  @export(implementation) public var observerCount: Int {
    Int(storage.latestObserverCount.load(ordering: .relaxed)) + (storage.history?.observerCount ?? 0)
  }

  /// The total number of values that this state's observers with bounded buffers have dropped.
  @export(implementation) public var droppedCount: Int {
    storage.history?.droppedCount ?? 0
  }
}
