public import Dispatch
import Synchronization

/// Passes the values of one binding on to any number of observers, each on its dispatch queue.
///
/// Use it if several screens show one closure-based view model, whose ``CallbackState`` has one
/// observer:
///
/// ```swift
/// let states = CallbackRelay(cart.state) { cart.bind($0) }
/// badge = states.observe(on: .main) { show($0.cart.itemCount) }
/// list = states.observe(on: .main) { show($0.cart.items) }
/// ```
///
/// - Isolation: None. Observe and cancel on any thread.
/// - Ordering: An observer receives the latest value first, and then every later value in the order
///   in which the relay received them. The calls of one observer never overlap, and never run
///   within `observe`.
/// - Ownership: The relay retains the token of its binding. The token of an observer retains the
///   observer, but not the relay. When the relay is released, its observers receive the values that
///   it has received, and no later ones.
/// - Complexity: O(observers) for each value.
public final class CallbackRelay<Value: Sendable>: Sendable {
  private let observers: Observers<Value>
  private let binding: CancellationToken

  /// Creates a relay of a binding.
  ///
  /// - Parameters:
  ///   - value: The current value. An observer receives it if the binding has not delivered a value
  ///     yet.
  ///   - bind: Binds the observer that it receives. The relay keeps the returned token.
  public init(_ value: Value, _ bind: (@escaping @Sendable (Value) -> Void) -> CancellationToken) {
    let observers = Observers(value)
    self.observers = observers
    // The observer must not retain the relay, which retains the token of the observer.
    binding = bind { observers.send($0) }
  }

  /// Creates an observer of the latest value and all later ones.
  ///
  /// - Cancellation: If the token is cancelled or released on `queue`, and `queue` is serial, no
  ///   call begins after that. Otherwise, at most one call is still running or about to begin when
  ///   `cancel()` returns.
  public func observe(
    on queue: DispatchQueue = .main, _ observer: @escaping @Sendable (Value) -> Void
  ) -> CancellationToken {
    let (number, binding) = observers.add(on: queue, observer)
    return CancellationToken { [weak observers] in
      binding.cancel()
      observers?.remove(number)
    }
  }
}

/// The observers of a relay.
private final class Observers<Value: Sendable>: Sendable {
  private struct State {
    var latest: Value
    var states: [Int: CallbackState<Value>] = [:]
    var lastNumber = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(latest: value)) }

  func send(_ value: Value) {
    state.take { state in
      // Sent under the lock, so that all observers receive the values in one order. `latest` still
      // holds the values that the observers replace, so that none of them is released here.
      for observer in state.states.values { observer.send(value) }
      return exchange(&state.latest, with: value)
    }
  }

  func add(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (Value) -> Void
  ) -> (number: Int, binding: CancellationToken) {
    state.withLock { state in
      let observerState = CallbackState(state.latest)
      state.lastNumber += 1
      state.states[state.lastNumber] = observerState
      return (state.lastNumber, observerState.bind(on: queue, observer))
    }
  }

  func remove(_ number: Int) {
    state.take { $0.states.removeValue(forKey: number) }
  }
}
