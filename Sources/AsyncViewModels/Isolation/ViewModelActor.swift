/// A view model that is an actor. Its one requirement is the property ``modelState``.
///
/// ```swift
/// actor Counter: ViewModelActor {
///   nonisolated let modelState = ModelState(0)
///
///   func increment() { store.update { $0 += 1 } }
/// }
/// ```
///
/// The protocol derives `unownedExecutor`, ``StateSource/store``, ``StateSource/state`` and
/// ``StateSource/states(_:)`` from ``modelState``. By default, the view model behaves like a plain
/// actor. To run it on the executor of another actor, pass that actor to
/// ``ModelState/init(_:on:)``.
///
/// - Precondition: ``modelState`` is a stored property. A computed property would make another
///   isolation for each call, so that calls run at the same time. The first call of the actor stops
///   the process, in every build.
public protocol ViewModelActor<State>: Actor, StateSource {
  /// The type of the state. Redeclared here, so that the compiler can infer it from
  /// ``modelState``.
  override associatedtype State

  /// The state of the view model with its observers, and the isolation of the view model.
  nonisolated var modelState: ModelState<State> { get }
}

extension ViewModelActor {
  /// The executor of the isolation.
  @export(implementation) public nonisolated var unownedExecutor: UnownedSerialExecutor {
    let modelState = modelState
    // Costs nothing in an optimized build: the compiler merges the two reads of a stored constant.
    guard modelState.store === self.modelState.store else { stopBecauseModelStateIsComputed(Self.self) }
    return unsafe modelState.isolation.unownedExecutor
  }

  /// The state and its observers.
  @export(implementation) public nonisolated var store: StateStore<State> { modelState.store }
}

@usableFromInline
func stopBecauseModelStateIsComputed(_ type: Any.Type) -> Never {
  fatalError("\(type).modelState must be a stored property: `nonisolated let modelState: ModelState<…>`")
}

/// The state of a ``ViewModelActor``, and the actor on whose executor the view model runs.
public struct ModelState<State: Sendable>: Sendable {
  /// The state and its observers.
  public let store: StateStore<State>
  @usableFromInline let isolation: ModelIsolation

  /// Creates the storage of a view model: its first state and its isolation.
  ///
  /// The isolation determines which code can call the view model synchronously, through
  /// `assumeIsolated`:
  ///
  /// | Isolation | Synchronous access |
  /// | --- | --- |
  /// | `nil` | None: the view model behaves like a plain actor. |
  /// | `MainActor.shared` | Main-actor code. |
  /// | A ``QueueIsolation`` | Code on its dispatch queue. |
  /// | Another actor, such as another view model | Code that is isolated to that actor. |
  ///
  /// The view model keeps the actor alive. With `nil`, a call costs as much as a call to a plain
  /// actor.
  ///
  /// - Parameters:
  ///   - initialState: The first value of the state.
  ///   - isolation: The actor whose executor the view model uses. Its `unownedExecutor` must never
  ///     change, as the `Actor` protocol requires.
  public init(_ initialState: State, on isolation: (any Actor)? = nil) {
    store = StateStore(initialState)
    self.isolation = ModelIsolation(isolation)
  }
}
