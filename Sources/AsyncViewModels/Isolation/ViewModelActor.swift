/// A view model that is an actor. Its one requirement is the property ``hosted``.
///
/// The protocol derives `unownedExecutor`, ``StateSource/store``, ``StateSource/state`` and
/// ``StateSource/states(_:)`` from ``hosted``. The view model runs on the executor of another actor, its
/// *host*. See ``Isolation`` for the actors that can be hosts.
///
/// ```swift
/// actor Counter: ViewModelActor {
///   nonisolated let hosted: HostedState<Int>
///
///   init(isolation: any Actor = Isolation()) { hosted = HostedState(0, on: isolation) }
///
///   func increment() { store.update { $0 += 1 } }
/// }
/// ```
public protocol ViewModelActor<State>: Actor, StateSource {
  /// The type of the state. Redeclared here, so that the compiler can infer it from ``hosted``.
  override associatedtype State

  /// The state of the view model with its observers, and the host of the view model.
  nonisolated var hosted: HostedState<State> { get }
}

extension ViewModelActor {
  /// The executor of the host.
  @inlinable public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe hosted.host.unownedExecutor
  }

  /// The state and its observers.
  @inlinable public nonisolated var store: ObservableState<State> { hosted.store }
}

/// The state of a ``ViewModelActor``, and the host on whose executor the view model runs.
public struct HostedState<State: Sendable>: Sendable {
  /// The state and its observers.
  public let store: ObservableState<State>
  /// The host of the view model.
  public let host: ActorHost

  /// Creates the storage of a view model: its first state and its host.
  ///
  /// - Parameters:
  ///   - initialState: The first value of the state.
  ///   - isolation: The host: the actor whose executor the view model uses.
  public init(_ initialState: State, on isolation: any Actor) {
    store = ObservableState(initialState)
    host = ActorHost(isolation)
  }
}
