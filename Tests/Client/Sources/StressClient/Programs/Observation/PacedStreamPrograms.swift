import AsyncViewModelsUI

extension StressProgram {
  static var pacedStreams: [StressProgram] {
    [
      StressProgram(
        name: "paced-streams",
        summary:
          "paced observers of every kind receive ascending values and the last value, at most one in each frame",
        run: following),
      StressProgram(
        name: "paced-streams-end", summary: "paced observers can be cancelled and released while values wait",
        run: ending),
    ]
  }

  private final class Model: StateSource {
    let store = ObservableState(0)
  }

  @MainActor
  private final class Screen {
    var last = 0
    var isOrdered = true

    func show(_ value: Int) {
      if value < last { isOrdered = false }
      last = value
    }
  }

  private static func following(load: Load) async throws {
    let model = Model()
    let rounds = 20_000
    let last = rounds * load.tasks / 2
    try await load.inParallel { task in
      if task % 2 == 0 { return try await observe(model, to: last, kind: task / 2) }
      for round in 1...rounds {
        model.store.update { $0 += 1 }
        if round % 16 == 0 { await Task.yield() }
      }
    }
    await until { model.store.observerCount == 0 }
  }

  @MainActor
  private static func observe(_ model: Model, to last: Int, kind: Int) async throws {
    let (screen, bindings) = (Screen(), ScreenBindings())
    let pacing = FramePacing.frames(perSecond: 1_000)
    let announced = FramePacing(longestFrame: .milliseconds(1)) {
      try await Task.sleep(for: .milliseconds(1))
    }
    var kept: [AnyObject] = []
    switch kind % 5 {
    case 0: bindings.observe(model, on: screen, pacing: pacing) { $0.show($1) }
    case 1: bindings.observe(model.store.states(pacing: announced), on: screen) { $0.show($1) }
    case 2:
      bindings.observe(model.store.states(of: { $0 / 2 }, pacing: pacing), on: screen) { $0.show($1 * 2) }
    case 3:
      let observed = ObservedState(model, pacing: pacing, of: { $0 })
      bindings.insert(observed.bind(on: screen) { $0.show($1) })
      kept.append(observed)
    default:
      let observed = ObservedViewModel(model, pacing: pacing)
      await untilOnMain {
        screen.show(observed.state)
        return observed.state == last
      }
    }
    await untilOnMain { screen.last >= last - 1 }
    try expect(screen.isOrdered, "a value after a newer one")
    withExtendedLifetime((kept, bindings)) {}
  }

  private static func ending(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...200 {
        let model = Model()
        let pacing = FramePacing.frames(perSecond: round % 2 == 0 ? 1 : 1_000)
        let reader = Task {
          var last = -1
          for await value in model.states(pacing: pacing) { last = value }
          return last
        }
        for value in 1...20 {
          model.store.send(value)
          if (value + task) % 7 == 0 { await Task.yield() }
        }
        if round % 2 == 0 {
          reader.cancel()
          _ = await reader.value
        } else {
          model.store.finish()
          try expectEqual(await reader.value, 20, "the last value")
        }
        await until { model.store.observerCount == 0 }
      }
    }
  }
}
