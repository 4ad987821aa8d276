import AsyncViewModels
import Synchronization

/// What one writes by hand for several observers of one value: an `AsyncStream` for each, which keeps the newest
/// value.
///
/// It yields outside its lock, as it must (a stream that ends takes the lock from `onTermination`); so two senders at
/// once may reach two observers in different orders.
final class HandRolledBroadcaster<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var nextID = 0
    var observers: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state: Mutex<State>
  private let bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy

  init(
    _ value: Value, bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(1)
  ) {
    state = Mutex(State(value: value))
    self.bufferingPolicy = bufferingPolicy
  }

  func send(_ value: Value) {
    let observers = state.withLock { state in
      state.value = value
      return state.observers
    }
    for observer in observers.values { observer.yield(value) }
  }

  /// The current value, then those that are sent.
  func stream() -> AsyncStream<Value> {
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
