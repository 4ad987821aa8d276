/// A reference to a *host*: the actor whose executor a view model uses. The reference keeps the host alive.
///
/// A call to a view model actor costs as much as a call to the host itself: the executor is looked up once, in the
/// initializer. A lookup through `any Actor` in each call would add reference counting and a function call.
@safe @usableFromInline
struct ModelIsolation: Sendable {
  private let actor: any Actor
  /// The executor of the host. It is valid as long as this reference or a copy of it exists.
  @usableFromInline let unownedExecutor: UnownedSerialExecutor

  /// Creates a reference to a host. Without one, makes a host that nothing else uses.
  init(_ actor: (any Actor)?) {
    let actor = actor ?? Isolation()
    self.actor = actor
    unsafe unownedExecutor = actor.unownedExecutor
  }
}

/// An actor that only provides isolation: the default host of a view model.
private actor Isolation {}
