import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// What screens do with a view model that has a stream of states: the stream stage and the async stage.
extension Workload {
  /// Opens one screen after another: creates a view model, observes it, loads its content, and waits until the state shows the
  /// outcome. One operation is one screen.
  ///
  /// - Parameter outcome: Returns `nil` while the content is being loaded.
  static func opening<Model: StateSource>(
    _ makeModel: @escaping @Sendable () -> Model, load: @escaping @Sendable (Model) async -> Void,
    outcome: @escaping @Sendable (Model.State) -> Result<Void, any Error>?
  ) -> Workload {
    Workload { iterations in
      for _ in 0..<iterations {
        let model = makeModel()
        var states = model.states().makeAsyncIterator()
        await load(model)
        try outcome(try await states.first { outcome($0) != nil })?.get()
      }
      return iterations
    }
  }
}

/// What screens do with a view model that has one observer: the closure stage.
extension Workload {
  /// Opens one screen after another, as the function for streams does.
  static func opening<Model: Sendable, State: Sendable>(
    _ makeModel: @escaping @Sendable () -> Model,
    bind: @escaping @Sendable (Model, @escaping @Sendable (State) -> Void) -> CancellationToken,
    load: @escaping @Sendable (Model) -> Void,
    outcome: @escaping @Sendable (State) -> Result<Void, any Error>?
  ) -> Workload {
    Workload { iterations in
      for _ in 0..<iterations {
        let model = makeModel()
        let watch = StateWatch<State>()
        let binding = bind(model) { watch.observe($0) }
        defer { binding.cancel() }
        load(model)
        try outcome(await watch.first { outcome($0) != nil })?.get()
      }
      return iterations
    }
  }
}

extension ViewState {
  /// Whether the content was loaded. `nil` while it is being loaded.
  var outcome: Result<Void, any Error>? {
    switch self {
    case .loaded, .empty: .success(())
    case .failed(let error): .failure(error)
    case .idle, .loading: nil
    }
  }
}
