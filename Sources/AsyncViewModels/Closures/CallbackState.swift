public import Dispatch
public import Synchronization

/// A value of the closure stage that can be watched: every change is handed to one observer, on the queue that
/// the observer asked for.
///
/// - One observer: the last binding wins. ``bind(on:_:)`` replaces the one before, whose token then does nothing.
/// - Delivery: the current value first, then every later one (nothing is conflated), in the order of the
///   sends, one call at a time, even on a concurrent queue. Never inside `bind` or `send` themselves: always in a
///   later turn of the queue, so a `send` from within the observer comes after what it is looking at. On a serial
///   queue, a block that is submitted after `send` returned runs after the observer has seen that value.
/// - Isolation: none; any thread may send, read and bind. The observer runs without a lock.
/// - Ownership: the observer and its token hold the binding, never the `CallbackState` or its owner. What was sent
///   before the `CallbackState` went away is still delivered.
/// - Cost: a send stores the value; it takes a turn on the queue only where none is pending. A burst is delivered
///   in one turn, and waits in memory until then.
public final class CallbackState<Value: Sendable>: Sendable {
  @usableFromInline let state: Mutex<State>

  @usableFromInline
  struct State {
    @usableFromInline var value: Value
    @usableFromInline var binding: CallbackBinding<Value>?

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @inlinable
  public init(_ value: Value) {
    state = Mutex(State(value))
  }

  /// The value sent last. It may be ahead of what the observer has been shown.
  @inlinable
  public var value: Value {
    state.withLock { $0.value }
  }

  /// Stores `value` and has it delivered to the observer, if there is one.
  @inlinable
  public func send(_ value: Value) {
    let replaced = state.withLock { state in
      let replaced = state.value
      state.value = value
      // Enqueued under the lock, so that the order of delivery is the order of the sends.
      state.binding?.enqueue(value)
      return replaced
    }
    // Both are released after the unlock: a value's deinit can be any code, and may come back here.
    withExtendedLifetime(value) { withExtendedLifetime(replaced) {} }
  }

  /// Makes `observer` the observer of this value, in place of the one before it.
  ///
  /// After `cancel()` of the token (or its release) nothing more is delivered if it was called on `queue` and
  /// `queue` is serial. Called from anywhere else, at most one call is still running or about to begin when
  /// `cancel()` returns; what waits behind it is dropped. The same holds for an observer that is replaced.
  @inlinable
  public func bind(
    on queue: DispatchQueue = .main, _ observer: @escaping @Sendable (Value) -> Void
  ) -> CancellationToken {
    let binding = CallbackBinding(queue: queue, observer: observer)
    let replaced = state.withLock { state in
      let replaced = state.binding
      state.binding = binding
      binding.enqueue(state.value)
      return replaced
    }
    replaced?.end()
    return CancellationToken { binding.end() }
  }

  @inlinable
  deinit {
    // Nothing can be sent any more: the observer goes as soon as it has seen what is pending.
    state.withLock { $0.binding }?.close()
  }
}
