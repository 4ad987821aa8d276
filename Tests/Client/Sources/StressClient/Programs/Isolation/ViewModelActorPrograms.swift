import AsyncViewModels
import Dispatch

extension StressProgram {
  static var viewModelActors: [StressProgram] {
    [
      StressProgram(
        name: "view-model-actor",
        summary: "a generic view model runs on its host, loses no change, and is released with its host",
        run: changing)
    ]
  }

  private actor Model<Value: Sendable>: ViewModelActor {
    nonisolated let hosted: HostedState<Value>
    private var calls = 0

    init(_ value: Value, on isolation: (any Actor)? = nil) { hosted = HostedState(value, on: isolation) }

    func change(_ body: @Sendable (inout Value) -> Void) async {
      changeSynchronously(body)
      await Task.yield()
      changeSynchronously(body)
    }

    func changeSynchronously(_ body: (inout Value) -> Void) {
      calls += 1
      store.update(body)
    }

    /// Changes the other model without an `await`, which requires that both have the same host.
    func change(with other: Model<String>) -> Int {
      other.assumeIsolated { $0.changeSynchronously { $0 = "changed" } }
      return calls
    }
  }

  private static func changing(load: Load) async throws {
    let queueHost = QueueIsolation(DispatchQueue(label: "view-model-actor"))
    for host: any Actor in [Model(0), queueHost, MainActor.shared] {
      let (model, other) = (Model(0, on: host), Model("", on: host))
      let rounds = 200
      try await load.inParallel { _ in
        for _ in 1...rounds {
          await model.change { $0 += 1 }
          _ = await model.change(with: other)
          if host is QueueIsolation {
            await onQueue(queueHost.queue) { model.assumeIsolated { $0.changeSynchronously { $0 += 1 } } }
          } else {
            await model.changeSynchronously { $0 += 1 }
          }
        }
      }
      try expectEqual(model.state, 3 * rounds * load.tasks, "the state of the model on \(host)")
      try expectEqual(await model.change(with: other), model.state, "calls of the model on \(host)")
      try expectEqual(other.state, "changed", "the state of the other model")
      var states = model.states().makeAsyncIterator()
      try expectEqual(await states.next(), model.store.value, "the first state of a stream")
    }
    try await load.inParallel { task in
      for round in 1...400 {
        var model: Model<Int>? = Model(0, on: round % 2 == 0 ? nil : queueHost)
        weak let released = model
        let states = model!.states()
        let call = Task { [model] in await model?.change { $0 += 1 } }
        model = nil
        await call.value
        await until { released == nil }
        var last = 0
        for await state in states { last = state }
        try expectEqual(last, 2, "the last state of a released model")
      }
    }
  }
}
