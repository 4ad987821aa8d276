/// The actor whose isolation another one shares: what is isolated to either runs on this one's executor. Keeps it alive.
///
/// ``Isolation`` shows how an actor is hosted.
///
/// Cost: a call to a hosted actor is as dear as one to the host itself. The executor is asked for once, when the actor is made;
/// to ask an `any Actor` in each call costs a reference count and a call of their own.
@safe
public struct ActorHost: Sendable {
  private let actor: any Actor
  @usableFromInline let executor: UnownedSerialExecutor

  /// - Parameter actor: whose `unownedExecutor` is always the same, as every actor has to promise.
  public init(_ actor: any Actor) {
    self.actor = actor
    unsafe executor = actor.unownedExecutor
  }

  /// Valid for as long as this host, or a copy of it, is there.
  @inlinable
  public var unownedExecutor: UnownedSerialExecutor { unsafe executor }
}
