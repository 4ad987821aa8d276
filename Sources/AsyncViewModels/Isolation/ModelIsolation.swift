/// The actor whose executor a view model uses. It lives as long as this value or a copy of it.
///
/// A call to the view model costs as much as a call to the actor itself: the executor is looked up
/// once, in the initializer. A lookup through `any Actor` in each call would add reference counting
/// and a function call.
@safe @usableFromInline
package struct ModelIsolation: Sendable {
  /// Only keeps the actor alive. 8 bytes: `any Actor` has 16.
  private let actor: any AnyObject & Sendable
  /// The executor of the actor. It is valid while the actor lives.
  @usableFromInline package let unownedExecutor: UnownedSerialExecutor

  /// Creates the isolation of an actor, or one that nothing else uses.
  package init(_ actor: (any Actor)?) {
    let actor = actor ?? OwnIsolation()
    self.actor = actor
    unsafe unownedExecutor = actor.unownedExecutor
  }
}

/// An actor that only provides isolation: the default of a view model.
private actor OwnIsolation {}
