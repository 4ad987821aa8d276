import AsyncViewModels

let observers = [
  StressProgram("an actor observes a state in order", observedByActors),
  StressProgram("an object on the main actor observes a state in order", observedOnMain),
  StressProgram("a view model on any executor loses no change", viewModels),
]

private actor Observer {
  private(set) var last = 0
  private(set) var isOrdered = true
  private var token: CancellationToken?

  func follow(_ states: AsyncStream<Int>) {
    token = states.observe(on: self) { observer, value in
      observer.note(value)
      if value % 7 == 0 { await Task.yield() }
    }
  }

  private func note(_ value: Int) {
    if value < last { isOrdered = false }
    last = value
  }
}

private func observedByActors(load: Load) async throws {
  let state = StateStore(0)
  try await load.inParallel { _ in
    for round in 1...200 {
      var observer: Observer? = Observer()
      weak let released = observer
      await observer?.follow(state.states(round % 2 == 0 ? .latest : .unbounded))
      state.update { $0 += 1 }
      let seen = state.value
      await until { await observer?.last ?? seen >= seen }
      try expect(await observer?.isOrdered == true, "a body ran out of order")
      observer = nil
      await until { released == nil }
    }
  }
  await until { state.observerCount == 0 }
}

private final class Model: StateSource {
  let store = StateStore(0)
}

@MainActor
private final class Screen {
  private var last = -1
  private(set) var isOrdered = true

  func show(_ value: Int) {
    MainActor.assertIsolated()
    if value <= last { isOrdered = false }
    last = value
  }

  func untilShown(_ value: Int) async {
    while last != value { await Task.yield() }
  }
}

private func observedOnMain(load: Load) async throws {
  try await load.inParallel { task in
    for round in 1...100 {
      var model: Model? = Model()
      let screen = Screen()
      let (token, left) = await MainActor.run { [model] in
        (model?.observe(on: screen) { $0.show($1) }, model?.store.observe(on: screen) { _, _ in })
      }
      for value in 1...50 {
        model?.store.send(value)
        if (value + task) % 16 == 0 { await Task.yield() }
        if value == round % 50 { left?.cancel() }
      }
      if round % 2 == 0 { model?.store.finish() }
      left?.cancel()
      model = nil
      await screen.untilShown(50)
      try expect(await screen.isOrdered, "a value came after a newer one")
      withExtendedLifetime(token) {}
    }
  }
}

private actor Counter: ViewModelActor {
  nonisolated let modelState: ModelState<Int>

  init(on isolation: (any Actor)?) { modelState = ModelState(0, on: isolation) }

  func change() async {
    store.update { $0 += 1 }
    await Task.yield()
    store.update { $0 += 1 }
  }
}

private func viewModels(load: Load) async throws {
  let isolations: [(any Actor)?] = [nil, QueueIsolation(.init(label: "view models")), MainActor.shared]
  for isolation in isolations {
    let model = Counter(on: isolation)
    let rounds = 200
    try await load.inParallel { _ in
      for round in 1...rounds {
        await model.change()
        try expect(model.state >= 2 * round, "a change of the model is lost")
      }
    }
    try expectEqual(model.state, 2 * rounds * load.tasks, "the state of the model")
    var states = model.states().makeAsyncIterator()
    try expectEqual(await states.next(), model.store.value, "the first state of a stream")
  }
}
