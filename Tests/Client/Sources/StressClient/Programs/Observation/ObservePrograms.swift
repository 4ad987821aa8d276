import AsyncViewModels

extension StressProgram {
  static var observe: [StressProgram] {
    [
      StressProgram(
        name: "observe",
        summary:
          "observe(on:) runs its body on the owner, in order, until a cancellation or the owner's deinit",
        run: onActors),
      StressProgram(
        name: "observe-main", summary: "for an owner on the main actor, observe(on:) runs the body there",
        run: onMain),
      StressProgram(
        name: "observe-state-main",
        summary: "observe(on:) of a state shows its values in order and the last one, while states end",
        run: statesOnMain),
    ]
  }

  private actor Observer {
    private(set) var last = 0
    private(set) var isOrdered = true
    private var token: CancellationToken?
    private var isCancelled = false

    func follow(_ states: AsyncStream<Int>) {
      token = states.observe(on: self) { observer, value in
        observer.note(value)
        if value % 7 == 0 { await Task.yield() }
      }
    }

    func cancel() {
      token?.cancel()
      isCancelled = true
    }

    private func note(_ value: Int) {
      if value < last || isCancelled { isOrdered = false }
      last = value
    }
  }

  private static func onActors(load: Load) async throws {
    let state = ObservableState(0)
    try await load.inParallel { task in
      for round in 1...200 {
        var observer: Observer? = Observer()
        weak let released = observer
        await observer?.follow(state.states(round % 2 == 0 ? .latest : .unbounded))
        state.update { $0 += 1 }
        let seen = state.value
        if round % 3 == 0 {
          await observer?.cancel()
        } else {
          await until { await observer?.last ?? seen >= seen }
        }
        try expect(await observer?.isOrdered == true, "a body ran out of order or after a cancellation")
        observer = nil
        await until { released == nil }
      }
    }
    await until { state.observerCount == 0 }
  }

  @MainActor
  private final class Label {
    var last = 0
    var token: CancellationToken?
  }

  @MainActor
  private static func onMain(load: Load) async throws {
    let state = ObservableState(0)
    let labels = (0..<20).map { _ in Label() }
    for label in labels {
      label.token = state.states().observe(on: label) { label, value in
        MainActor.assertIsolated()
        label.last = max(label.last, value)
      }
    }
    try await load.inParallel { _ in
      for round in 1...200 {
        state.update { $0 += 1 }
        if round % 16 == 0 { await Task.yield() }
      }
    }
    let last = state.value
    await until { labels.allSatisfy { $0.last == last } }
    for label in labels.dropLast() { label.token?.cancel() }
    await until { state.observerCount == 1 }
    withExtendedLifetime(labels) {}
  }

  private final class Model: StateSource {
    let store = ObservableState(0)
  }

  @MainActor
  private final class Screen {
    var last = -1
    var isOrdered = true

    func show(_ value: Int) {
      if value <= last { isOrdered = false }
      last = value
    }
  }

  @MainActor
  private static func untilShown(_ value: Int, by screen: Screen) async {
    await untilOnMain { screen.last == value }
  }

  private static func statesOnMain(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...100 {
        var model: Model? = Model()
        weak let released = model
        let screen = Screen()
        let (token, left) = await MainActor.run { [model] in
          (model?.observe(on: screen) { $0.show($1) }, model?.store.observe(on: screen) { _, _ in })
        }
        for value in 1...50 {
          model?.store.send(value)
          if (value + task) % 16 == 0 { await Task.yield() }
          if value == round % 50 { left?.cancel() }
        }
        if round % 3 == 0 {
          token?.cancel()
          left?.cancel()
          try expectEqual(model?.store.observerCount, 0, "observers after a cancellation")
        } else if round % 3 == 1 {
          model?.store.finish()
        }
        left?.cancel()
        if round % 3 == 1 { await until { model?.store.observerCount == 0 } }
        model = nil
        try expect(released == nil, "an observer keeps the view model alive")
        if round % 3 != 0 { await untilShown(50, by: screen) }
        try expect(await screen.isOrdered, "a value after a newer one")
        withExtendedLifetime(token) {}
      }
    }
  }
}
