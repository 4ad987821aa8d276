import AsyncViewModels

extension StressProgram {
  static var viewStates: [StressProgram] {
    [
      StressProgram(
        name: "view-state", summary: "states of shared values, mapped and read by every task", run: mapped)
    ]
  }

  private struct LoadError: Error, Equatable {
    let reason: String
  }

  private static func mapped(load: Load) async throws {
    let shared = ObservableState(ViewState<String>.idle)
    try await load.inParallel { task in
      for round in 0..<(300_000 / load.tasks) {
        let text = "a text of task \(task), round \(round)"
        let states: [ViewState<String>] = [
          .idle, .loading, .loaded(text), .failed(LoadError(reason: text)), .empty,
        ]
        shared.send(states[round % states.count])
        try check(shared.value)
        if round % 16 == 0 { await Task.yield() }
      }
    }
  }

  private static func check(_ state: ViewState<String>) throws(Unexpected) {
    let mapped = state.map(\.count)
    try expectEqual(mapped.value, state.value?.count, "the mapped value")
    try expectEqual(mapped.isLoading, state.isLoading, "whether the mapped state is loading")
    try expectEqual(mapped.error as? LoadError, state.error as? LoadError, "the error of the mapped state")
    let refusal = LoadError(reason: "not this one")
    switch state {
    case .loaded:
      try expectError(refusal) { () throws(LoadError) in
        _ = try state.map { _ throws(LoadError) -> Int in throw refusal }
      }
    case .loading: try expect(state.isLoading && state.value == nil, "a state that is loading has a value")
    case .failed: try expect(state.error is LoadError && state.value == nil, "a failed state has no error")
    case .idle, .empty: try expect(!state.isLoading && state.error == nil, "a state without answer is one")
    }
  }
}
