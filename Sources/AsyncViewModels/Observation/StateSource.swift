/// An object with a state that any code can read and observe.
///
/// A class conforms with one stored property, ``store``. A view model that is an actor conforms to
/// ``ViewModelActor`` instead.
///
/// ```swift
/// final class BadgeModel: StateSource {
///   let store = ObservableState(0)
/// }
/// ```
///
/// `store` has the access level of the conforming type, so all code that can use the type can also call `send`
/// and `finish` on its `store`. The compiler cannot prevent this. Screens must use only `state`, `states()` and
/// `observe(on:)`. If the initializers and the mutating members of the state type are internal, other modules
/// cannot create a new state to send.
///
/// An ``ObservableState`` is a state source, too. Its state is its value.
///
/// - Precondition: `store` always returns the same object. A computed property that makes a new one would lose each change. A
///   debug build stops when ``state``, ``states(_:)`` or `observe(on:)` of such a source is used.
public protocol StateSource<State>: AnyObject, Sendable {
  /// The type of the state.
  associatedtype State: Sendable

  /// The state and its observers. Only the conforming type may change the state.
  nonisolated var store: ObservableState<State> { get }
}

extension StateSource {
  /// The current state.
  ///
  /// - Isolation: None. Read it from any thread.
  @inlinable public nonisolated var state: State { checkedStore.value }

  /// Creates an observer that receives the current state first, and then later states.
  ///
  /// By default, a slow observer receives only the latest state. See ``ObservableState/stream(_:)``.
  @inlinable
  public nonisolated func states(_ buffering: BufferingPolicy = .latest) -> AsyncStream<State> {
    checkedStore.stream(buffering)
  }

  /// The store. A debug build checks that `store` is not made for each use.
  @inlinable nonisolated var checkedStore: ObservableState<State> {
    let store = store
    assert(
      store === self.store, "\(Self.self).store must be a stored property, or always return the same object")
    return store
  }
}
