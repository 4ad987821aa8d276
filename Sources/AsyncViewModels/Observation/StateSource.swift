/// An object with a state that any code can read and observe.
///
/// A class needs only one stored property to conform to it. A view model that is an actor conforms to
/// ``ViewModelActor`` instead.
///
/// ```swift
/// final class BadgeModel: StateSource {
///   let store = ObservableState(0)
/// }
/// ```
///
/// `store` has the access level of the conforming type, so all code that sees the type can also call `send` and
/// `finish`. The compiler does not prevent it. Screens must use only `state` and `states()`. If the initializers
/// and the mutating members of the state are internal, other modules can at least create no new states.
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
  @inlinable public nonisolated var state: State { store.value }

  /// Creates an observer that receives the current state first, and then later states.
  ///
  /// By default, a slow observer receives only the latest state. See ``ObservableState/stream(_:)``.
  @inlinable
  public nonisolated func states(_ buffering: BufferingPolicy = .latest) -> AsyncStream<State> {
    store.stream(buffering)
  }
}
