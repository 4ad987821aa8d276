import AsyncViewModelsTesting
package import AsyncViewModelsUI

/// The values that a binding has received, in order.
@MainActor
package final class SeenValues<Value: Sendable> {
  package var values: [Value] = []
  private var binding: CancellationToken?

  package init() {}

  /// Binds to `observed`, and records its current value as the first value.
  package init(of observed: StateMirror<Value>) {
    binding = observed.bind(on: self) { seen, value in seen.values.append(value) }
  }

  /// Waits until the last value satisfies the predicate.
  ///
  /// When this method returns, the other bindings of the same `StateMirror` have received it, too.
  package func wait(until predicate: (Value) -> Bool) async throws {
    try await AsyncViewModelsTesting.until { values.last.map(predicate) ?? false }
  }
}

/// A view model whose state a test changes. Only the test keeps it alive.
package final class StateModel<State: Sendable>: StateSource {
  package let store: StateStore<State>

  package init(_ state: State) { store = StateStore(state) }

  package func send(_ state: State) { store.send(state) }
}
