/// A reference to the actor whose executor a view model uses.
///
/// The reference keeps that actor alive. See ``Isolation`` for how to host an actor.
///
/// A call to a hosted actor costs as much as a call to the host itself: the executor is looked up once, in
/// the initializer. A lookup through `any Actor` in each call would add reference counting and a call.
@safe
public struct ActorHost: Sendable {
  private let actor: any Actor
  @usableFromInline let executor: UnownedSerialExecutor

  /// Creates a host from an actor.
  ///
  /// - Parameter actor: The actor to share. Its `unownedExecutor` never changes, as `Actor` requires.
  public init(_ actor: any Actor) {
    self.actor = actor
    unsafe executor = actor.unownedExecutor
  }

  /// The executor of the host's actor, valid as long as this host or a copy of it exists.
  @inlinable
  public var unownedExecutor: UnownedSerialExecutor { unsafe executor }
}

/// An actor that only provides isolation: the default host of a view model.
///
/// The initializer of a view model takes a *host*. The view model runs on the host's executor. The host
/// decides who can call the view model synchronously through `assumeIsolated`:
///
/// | Host | Synchronous access |
/// | --- | --- |
/// | A new `Isolation` | None: the view model behaves like a plain actor. |
/// | `MainActor.shared` | Main-actor code. |
/// | A ``QueueIsolation`` | Code on its dispatch queue. |
/// | The host of another actor | Code that is isolated to that actor. |
///
/// A ``ViewModelActor`` stores its host in its ``HostedState``.
///
/// The hosted actor keeps its host alive. It costs as much as a plain actor.
public actor Isolation {
  /// Creates an isolation that is separate from all others.
  public init() {}
}
