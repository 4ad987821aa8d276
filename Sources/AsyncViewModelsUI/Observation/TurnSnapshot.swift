import Synchronization

/// What code on the main actor reads of a state in one turn, that is in one job of the main actor.
///
/// The first read takes the value. Later reads in the turn return the same value, although other
/// threads change the state. A change by the main thread itself is read at once.
///
/// A job ends the snapshot. The first read enqueues it *before* it reads the state, and the main
/// actor runs its jobs in the order in which they are enqueued. So a later job never reads an older
/// value than the code that has enqueued it. A job that was enqueued before the first read can
/// share its snapshot.
@MainActor
final class TurnSnapshot<State: Sendable, Value> {
  private let storage: StateStorage<State>
  private let projection: @MainActor (State) -> Value
  private var current: (value: Value, version: UInt64)?

  init(of storage: StateStorage<State>, _ projection: @escaping @MainActor (State) -> Value) {
    self.storage = storage
    self.projection = projection
  }

  /// The value of this turn.
  var value: Value {
    if let current, storage.isCurrentInThisTurn(current.version) { return current.value }
    if current == nil { Task.detached(priority: .userInitiated) { @MainActor in self.end() } }
    return take()
  }

  /// Passes the latest value to `body`, which reads the same value.
  func deliver(_ body: (Value) -> Void) {
    let endsLater = current != nil
    body(take())
    if !endsLater { end() }
  }

  private func take() -> Value {
    let (state, version) = storage.valueOfThisTurn
    let value = projection(state)
    replace(with: (value, version))
    return value
  }

  private func end() {
    storage.endTurn()
    replace(with: nil)
  }

  /// The old value is released after the access has ended: its `deinit` can read this object.
  private func replace(with new: (value: Value, version: UInt64)?) {
    withExtendedLifetime(exchange(&current, with: new)) {}
  }
}
