import AsyncViewModels
import Dispatch

/// A view model that uses the executor of its host and has a state of any type.
actor HostedModel<State: Sendable>: ViewModelActor {
  nonisolated let hosted: HostedState<State>
  /// No lock guards this count. If the isolation fails, the count misses calls.
  private(set) var callCount = 0

  init(_ state: State, isolation: (any Actor)? = nil) { hosted = HostedState(state, on: isolation) }

  func change(_ body: @Sendable (inout State) -> Void) {
    callCount += 1
    store.update(body)
  }

  func changeAfterWaiting(_ body: @Sendable (inout State) -> Void) async {
    await Task.yield()
    change(body)
  }

  /// Changes another model without waiting. Terminates the process unless both models share one isolation.
  func changeSynchronously<Other>(
    _ other: HostedModel<Other>, _ body: @Sendable (inout Other) -> Void
  ) {
    other.assumeIsolated { $0.change(body) }
  }

  func checkOn(_ queue: DispatchQueue) async {
    dispatchPrecondition(condition: .onQueue(queue))
    await Task.yield()
    dispatchPrecondition(condition: .onQueue(queue))
  }

  func checkOnMainActor() async {
    MainActor.preconditionIsolated()
    await Task.yield()
    MainActor.preconditionIsolated()
  }
}
