public import Synchronization

/// What an app would write by hand for several observers of one value: an `AsyncStream` for each, which keeps the
/// newest value.
///
/// It yields outside its lock, because a stream that ends takes the lock in `onTermination`. The values of
/// two concurrent senders may therefore reach two observers in different orders.
public final class HandRolledBroadcaster<Value: Sendable>: Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var value: Value
    @usableFromInline var nextID = 0
    @usableFromInline var observers: [Int: AsyncStream<Value>.Continuation] = [:]

    @inlinable
    init(value: Value) { self.value = value }
  }

  @usableFromInline let state: Mutex<State>
  @usableFromInline let bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy

  /// Creates a broadcaster with its first value.
  @inlinable
  public init(
    _ value: Value, bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(1)
  ) {
    state = Mutex(State(value: value))
    self.bufferingPolicy = bufferingPolicy
  }

  /// Sends a value to every observer.
  @inlinable
  public func send(_ value: Value) {
    let observers = state.withLock { state in
      state.value = value
      return state.observers
    }
    for observer in observers.values { observer.yield(value) }
  }

  /// A stream of the current value, followed by the values that are sent later.
  @inlinable
  public func stream() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: bufferingPolicy)
    let (id, value) = state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = continuation
      return (state.nextID, state.value)
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
    }
    continuation.yield(value)
    return stream
  }
}
