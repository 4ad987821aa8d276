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
        await observer?.follow(state.stream(round % 2 == 0 ? .latest : .unbounded))
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
      label.token = state.stream().observe(on: label) { label, value in
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
}
