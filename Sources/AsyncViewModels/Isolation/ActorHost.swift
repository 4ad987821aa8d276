/// A reference to a *host*: the actor whose executor a view model uses.
///
/// The reference keeps the host alive. See ``Isolation`` for the actors that can be hosts.
///
/// A call to a hosted actor costs as much as a call to the host itself: the executor is looked up once, in the
/// initializer. A lookup through `any Actor` in each call would add reference counting and a function call.
@safe
public struct ActorHost: Sendable {
  private let actor: any Actor
  @usableFromInline let executor: UnownedSerialExecutor

  /// Creates a reference to a host.
  ///
  /// - Parameter actor: The host. Its `unownedExecutor` must never change, as the `Actor` protocol requires.
  public init(_ actor: any Actor) {
    self.actor = actor
    unsafe executor = actor.unownedExecutor
  }

  /// Whether the host is an actor that only provides isolation, so that main-actor code can never enter it.
  var isIsolation: Bool { actor is Isolation }

  /// The executor of the host. It is valid as long as this reference or a copy of it exists.
  @inlinable
  public var unownedExecutor: UnownedSerialExecutor { unsafe executor }
}

/// An actor that only provides isolation: the default host of a view model.
///
/// The initializer of a view model takes another actor, its *host*. The view model runs on the executor of its
/// host. The host determines which code can call the view model synchronously, through `assumeIsolated`:
///
/// | Host | Synchronous access |
/// | --- | --- |
/// | A new `Isolation` | None: the view model behaves like a plain actor. |
/// | `MainActor.shared` | Main-actor code. |
/// | A ``QueueIsolation`` | Code on its dispatch queue. |
/// | Another actor, or the host of that actor | Code that is isolated to that actor. |
///
/// A ``ViewModelActor`` stores its host in its ``HostedState``.
///
/// A hosted actor keeps its host alive. A call to an actor on an `Isolation` costs as much as a call to a plain
/// actor.
public actor Isolation {
  /// Creates an isolation that is separate from every other isolation.
  public init() {}
}
