import AsyncViewModels

extension StressProgram {
  static var viewStates: [StressProgram] {
    [
      StressProgram(
        name: "view-state", summary: "all tasks send view states to one state, and check what they read back",
        run: shared)
    ]
  }

  private struct LoadError: Error, Equatable {
    let reason: String
  }

  private static func shared(load: Load) async throws {
    let shared = ObservableState(ViewState<String>.idle)
    try await load.inParallel { task in
      for round in 0..<(300_000 / load.tasks) {
        let text = "text of task \(task), round \(round)"
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
    switch state {
    case .loaded:
      try expect(
        state.value?.hasPrefix("text of task") == true && state.error == nil, "value or error is wrong")
    case .loading:
      try expect(state.isLoading && state.value == nil, "isLoading or value is wrong in the state loading")
    case .failed:
      try expect(
        state.error is LoadError && state.value == nil, "error or value is wrong in the state failed")
    case .idle, .empty:
      try expect(
        !state.isLoading && state.error == nil, "isLoading or error is wrong in the state idle or empty")
    }
  }
}
