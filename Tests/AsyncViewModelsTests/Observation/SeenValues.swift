import AsyncViewModels
import AsyncViewModelsTesting

/// The values that a binding has received, in order.
@MainActor
final class SeenValues<Value: Sendable> {
  var values: [Value] = []
  private var binding: CancellationToken?

  init() {}

  /// Binds to an object. The first value is the current one.
  init(of observed: ObservedState<Value>) {
    binding = observed.bind(on: self) { seen, value in seen.values.append(value) }
  }

  /// Waits until the last value satisfies the predicate.
  ///
  /// All other bindings of the object have received that value, too.
  func wait(until predicate: (Value) -> Bool) async throws {
    try await AsyncViewModelsTesting.until { values.last.map(predicate) ?? false }
  }
}

/// A model whose state a test changes, and that is deallocated with the last reference of the test.
final class StateModel<State: Sendable>: StateSource {
  let store: ObservableState<State>

  init(_ state: State) { store = ObservableState(state) }

  func send(_ state: State) { store.send(state) }
}
