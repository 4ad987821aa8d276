import AsyncViewModels
import Dispatch

extension StressProgram {
  /// A view model whose intents take effect on the thread of the caller.
  private actor Model: ViewModelActor {
    struct State: Sendable {
      var position = 0
      var answers: [Int] = []
    }

    nonisolated let hosted = HostedState(State())
    nonisolated let slot: TaskSlot

    init(_ policy: TaskSlot.Policy) { slot = TaskSlot(policy) }

    nonisolated func run(_ number: Int) async {
      await slot.run(on: self) {
        for _ in 0..<(number % 3) {
          await Task.yield()
          try Task.checkCancellation()
        }
        return number
      } commit: { model, outcome in
        model.store.update { $0.answers.append(outcome.value ?? -1) }
      }
    }

    nonisolated func draw() -> Int {
      store.update { state in
        state.position += 1
        return state.position
      }
    }

    nonisolated func ask() -> TaskSlot.Run {
      let position = draw()
      return slot.start(at: position, on: self) {
        if position % 2 == 0 { await Task.yield() }
        return position
      } commit: { model, outcome in
        model.store.update { $0.answers.append(outcome.value ?? -1) }
      }
    }
  }

  static func callers(load: Load) async throws {
    try await load.inParallel { task in
      for round in 0..<150 {
        let model = Model(round % 2 == 0 ? .join : .latest)
        let calls = (0..<4).map { number in
          Task {
            switch number {
            case 3 where round % 4 == 0: await model.slot.wait()
            case 3: await model.slot.join().wait()
            default: await model.run(number)
            }
            return model.state.answers
          }
        }
        for number in 0..<(round % 3) { calls[number].cancel() }
        let last = await calls[2].value
        try expect(last.contains { $0 >= 0 }, "a caller that stayed got \(last)")
        for call in calls { _ = await call.value }
        try expect(!model.slot.isRunning, "a slot without callers is running")
      }
    }
  }

  static func positions(load: Load) async throws {
    try await load.inParallel { task in
      for round in 0..<100 {
        let model = Model(.latest)
        await atOnce(
          { _ = model.ask() }, { _ = model.ask() }, { _ = model.ask() },
          { if round % 2 == 0 { model.slot.cancel(at: model.draw()) } })
        let last = model.ask()
        await last.wait()
        let answers = model.state.answers
        try expectEqual(answers, answers.sorted(), "the order of the commits")
        try expectEqual(answers.last, model.state.position, "the last commit")
        try expect(!model.slot.isRunning, "a slot is running after its last run")
      }
    }
  }

  @MainActor
  private final class Screen {
    let slot = TaskSlot(.latest)
    private(set) var commits: [Int] = []

    func load(_ number: Int) async {
      await slot.run(on: self) {
        await Task.yield()
        return number
      } commit: { screen, outcome in
        screen.commits.append(outcome.value ?? -1)
      }
    }

    func loadSteps(_ number: Int) async {
      await slot.run(
        on: self,
        inSteps: { gate in
          guard let count = await gate({ screen in screen.commits.count }) else { return }
          await gate { screen in screen.commits.append(count < 0 ? -2 : number) }
        }, onCancel: { screen in screen.commits.append(-1) })
    }

    func start(_ number: Int) -> TaskSlot.Run {
      slot.start(on: self) {
        number
      } commit: { screen, outcome in
        screen.commits.append(outcome.value ?? -1)
      }
    }
  }

  static func mainActorSlots(load: Load) async throws {
    try await load.inParallel { task in
      for round in 0..<60 {
        let screen = Screen()
        await screen.load(1)
        await screen.loadSteps(2)
        await screen.start(3).wait()
        try expectEqual(await screen.commits, [1, 2, 3], "the commits")
        let call = Task { round % 2 == 0 ? await screen.load(4) : await screen.loadSteps(4) }
        call.cancel()
        await call.value
        let last = await screen.commits.last
        try expect(last == -1 || last == 4, "after a cancel: \(last ?? 0)")
        _ = await screen.start(5)
        screen.slot.cancel()
      }
    }
  }
}
