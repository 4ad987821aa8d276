/// An object with a state that any code can read and observe, such as a view model or an
/// ``StateStore``.
///
/// A class conforms with one stored property, ``store``. A view model that is an actor conforms to
/// ``ViewModelActor`` instead.
///
/// ```swift
/// final class BadgeModel: StateSource {
///   let store = StateStore(0)
/// }
/// ```
///
/// Screens use only `state`, `states()` and `observe(on:)`. The compiler cannot prevent a screen
/// from calling `send` on `store`, which has the access level of the conforming type. To prevent it
/// in other modules, make the initializers and the mutating members of the state type internal.
///
/// - Precondition: `store` always returns the same object. A debug build stops if a computed
///   property makes a new one, which would lose each change.
public protocol StateSource<State>: AnyObject, Sendable {
  /// The type of the state.
  associatedtype State: Sendable

  /// The state and its observers. Only the conforming type may change the state.
  nonisolated var store: StateStore<State> { get }
}

extension StateSource {
  /// The current state.
  ///
  /// - Isolation: None. Read it from any thread.
  @export(implementation) public nonisolated var state: State { checkedStore.value }

  /// Creates an observer that yields the current state and then later states, as `buffering`
  /// specifies. ``StateStore`` lists all guarantees.
  ///
  /// The observer exists from this call on, not from the first iteration. Create one stream for
  /// each task: two tasks that read one stream split its states, and cancelling one of them ends
  /// the stream for both.
  ///
  /// - Parameter buffering: What the stream keeps for a slow reader. By default, only the latest
  ///   state.
  @export(implementation)
  public nonisolated func states(_ buffering: BufferingPolicy = .latest) -> AsyncStream<State> {
    let storage = checkedStore.storage
    return switch buffering {
    case .latest: LatestValueObserver(of: storage).makeStream()
    case .bounded, .unbounded: storage.makeBufferingObserver(buffering).makeStream()
    }
  }

  /// Creates an observer of a projection of the state, such as `states(of: \.total)`.
  ///
  /// The stream omits each projected value that equals the last value that it has yielded. Pass
  /// `of: \.self` to skip equal states. `projection` runs in the reading task, but on no actor.
  @export(implementation)
  public nonisolated func states<Projected: Equatable & Sendable>(
    of projection: @escaping @Sendable (State) -> Projected, _ buffering: BufferingPolicy = .latest
  ) -> AsyncStream<Projected> {
    let storage = checkedStore.storage
    return switch buffering {
    case .latest: LatestValueObserver(of: storage).makeStream(distinct: projection)
    case .bounded, .unbounded: storage.makeBufferingObserver(buffering).makeStream(distinct: projection)
    }
  }

  /// The store. A debug build checks that `store` is not made for each use.
  @export(implementation) nonisolated var checkedStore: StateStore<State> {
    let store = store
    assert(
      store === self.store, "\(Self.self).store must be a stored property, or always return the same object")
    return store
  }
}
