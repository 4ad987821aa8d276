import AsyncViewModels

extension StressProgram {
  static var observe: [StressProgram] {
    [
      StressProgram(
        name: "observe",
        summary: "bodies run on their owner, in order; cancels and the owner's end stop them",
        run: onActors),
      StressProgram(name: "observe-main", summary: "the same for owners on the main actor", run: onMain),
    ]
  }

  private actor Badge {
    private(set) var last = 0
    private(set) var isOrdered = true
    private var token: CancellationToken?
    private var isCancelled = false

    func follow(_ states: AsyncStream<Int>) {
      token = states.observe(on: self) { badge, value in
        badge.note(value)
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
        var badge: Badge? = Badge()
        weak let gone = badge
        await badge?.follow(state.stream(round % 2 == 0 ? .latest : .unbounded))
        state.update { $0 += 1 }
        let seen = state.value
        if round % 3 == 0 {
          await badge?.cancel()
        } else {
          await until { await badge?.last ?? seen >= seen }
        }
        try expect(await badge?.isOrdered == true, "a body ran out of order, or after a cancel")
        badge = nil
        await until { gone == nil }
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
