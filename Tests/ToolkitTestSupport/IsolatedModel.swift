package import AsyncViewModels
package import Dispatch

/// A view model that uses the executor of its isolation and has a state of any type.
package actor IsolatedModel<State: Sendable>: ViewModelActor {
  package nonisolated let modelState: ModelState<State>
  /// No lock guards this count. If the isolation fails, the count misses calls.
  package private(set) var callCount = 0

  package init(_ state: State, isolation: (any Actor)? = nil) {
    modelState = ModelState(state, on: isolation)
  }

  package func change(_ body: @Sendable (inout State) -> Void) {
    callCount += 1
    store.update(body)
  }

  package func changeAfterWaiting(_ body: @Sendable (inout State) -> Void) async {
    await Task.yield()
    change(body)
  }

  /// Changes another model without waiting. Terminates the process unless both models share one isolation.
  package func changeSynchronously<Other>(
    _ other: IsolatedModel<Other>, _ body: @Sendable (inout Other) -> Void
  ) {
    other.assumeIsolated { $0.change(body) }
  }

  package func checkOn(_ queue: DispatchQueue) async {
    dispatchPrecondition(condition: .onQueue(queue))
    await Task.yield()
    dispatchPrecondition(condition: .onQueue(queue))
  }

  package func checkOnMainActor() async {
    MainActor.preconditionIsolated()
    await Task.yield()
    MainActor.preconditionIsolated()
  }
}
