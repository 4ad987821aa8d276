import AsyncViewModels

extension StressProgram {
  static var viewStates: [StressProgram] {
    [
      StressProgram(
        name: "view-state", summary: "all tasks send view states to one state, and check what they read back",
        run: mapped)
    ]
  }

  private struct LoadError: Error, Equatable {
    let reason: String
  }

  private static func mapped(load: Load) async throws {
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
    let mapped = state.map(\.count)
    try expectEqual(mapped.value, state.value?.count, "the mapped value")
    try expectEqual(mapped.isLoading, state.isLoading, "isLoading of the mapped state")
    try expectEqual(mapped.error as? LoadError, state.error as? LoadError, "the error of the mapped state")
    let error = LoadError(reason: "another reason")
    switch state {
    case .loaded:
      try expectError(error) { () throws(LoadError) in
        _ = try state.map { _ throws(LoadError) -> Int in throw error }
      }
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
