/// One value that changes over time, for any number of observers: the state of a view model.
///
/// | what | promise |
/// | --- | --- |
/// | first value | the one that is current when the stream is handed out; nothing sent after that moment is missed |
/// | order | one total order for all observers; none ever sees an older value after a newer one |
/// | slow observer | sees the latest value, and delays neither the sender nor the others; others on request, see ``BufferingPolicy`` |
/// | last value | never lost: at rest, every observer has seen the newest value |
/// | finish | the last value, then the end. A stream asked for afterwards yields the last value, then ends |
/// | owner's end | when this object goes away its streams finish; a stream does not keep it alive |
/// | leaving | cancelling the task, `break`, or dropping the stream frees the observer |
/// | equal values | handed on; ``distinctStream(_:)`` and ``stream(of:_:)`` leave them out |
/// | snapshot | ``value`` is synchronous, and agrees with what the streams say |
///
/// - Isolation: none. Every member may be called from any thread or actor.
/// - Lifetime: a local variable keeps this object only until its last use in an optimized build.
/// - Cost: a send is one lock and one store, and allocates nothing while nobody waits. It never runs an observer's code. An
///   observer costs one version number, and one resumption each time it had to wait.
///
/// ```swift
/// let state = ObservableState(0)
/// let observation = Task { for await value in state.stream() { print(value) } }
/// state.update { $0 += 1 }
/// ```
public final class ObservableState<Value: Sendable>: Sendable {
  @usableFromInline let storage: StateStorage<Value>

  @inlinable
  public init(_ initialValue: Value) { storage = StateStorage(initialValue) }

  /// The current value.
  ///
  /// - Precondition: not called from inside the body of this state's own ``update(_:)``: see there.
  @inlinable public var value: Value { storage.value }

  /// Replaces the value, and wakes the observers that wait. After ``finish()`` it does nothing.
  ///
  /// From inside the body of ``update(_:)`` it takes effect when that update has been published.
  @inlinable
  public func send(_ value: Value) { storage.send(value) }

  /// Changes the value in place, atomically; `body` runs exactly once. Observers see the result, never a value in between.
  ///
  /// `body` runs under the state's lock: it computes, and calls nothing that waits. What it changed before it threw stands, and
  /// is published. After ``finish()`` it works on a copy that is thrown away.
  ///
  /// - Throws: what `body` throws.
  /// - Precondition: While the state is not finished, `body` and the deinit of a value that it releases only ``send(_:)`` to this
  ///   state, or release one of its streams. Other uses can wait for the lock that the update holds: ``value``, a nested update,
  ///   ``finish()``, the counts, a new buffering stream, and the cancellation of a task that reads this state. The lock then ends the
  ///   process, in debug and release builds: with "Recursive call to lock Mutex" on Linux, and with a report of a recursive lock
  ///   on Apple platforms.
  @inlinable @discardableResult
  public func update<Answer: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try storage.update(body)
  }

  /// Ends all streams, once they have yielded the last value. The value stays as it is from then on.
  ///
  /// - Precondition: not called from inside the body of this state's own ``update(_:)``: see there.
  @inlinable
  public func finish() { storage.finish() }

  @inlinable
  deinit { storage.finish() }
}
