public import Dispatch

/// A closure-stage view model that publishes one state.
///
/// ```swift
/// final class CounterModel: CallbackStateSource {
///   let store = CallbackState(0)
///   let callbackQueue = DispatchQueue.main
///
///   func increment() { store.update { $0 += 1 } }
/// }
///
/// let token = model.bind { label.text = "\($0)" }
/// ```
///
/// The counterpart of `StateSource`. Store both properties in constants. `store` is visible to all
/// users of the view model, but only the view model may change it or bind its observer.
///
/// - Precondition: `store` always returns the same object. A debug build stops if a computed
///   property makes a new one, which would lose each change.
public protocol CallbackStateSource<State>: AnyObject, Sendable {
  /// The type of the state.
  associatedtype State: Sendable

  /// The state and its observer. Only the conforming type may change the state.
  var store: CallbackState<State> { get }

  /// The queue on which the observer is called.
  var callbackQueue: DispatchQueue { get }
}

extension CallbackStateSource {
  /// The current state. The observer may not have received it yet, and an intent that takes effect
  /// later may not be included.
  @export(implementation) public var state: State { checkedStore.value }

  /// Sets the observer, in place of the previous one. It receives the current state and every later
  /// one on `callbackQueue`, until the token is cancelled or released.
  @export(implementation)
  public func bind(_ observer: @escaping @Sendable (State) -> Void) -> CancellationToken {
    checkedStore.bind(on: callbackQueue, observer)
  }

  /// The store. A debug build checks that `store` is not made for each use.
  @export(implementation) var checkedStore: CallbackState<State> {
    let store = store
    assert(
      store === self.store, "\(Self.self).store must be a stored property, or always return the same object")
    return store
  }
}
