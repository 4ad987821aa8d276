import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let fullBuffer = Scenario(
    "observation/full-buffer",
    "a full buffer keeps the newest values, and counts the values that it drops", tasks: 4
  ) { world in
    let state = StateStore(0)
    let observer = state.values(.bounded(2))
    world.spawn("sender") {
      for value in 1...5 {
        if world.flip() { await Task.yield() }
        state.send(value)
      }
      state.finish()
    }
    let comesLate = world.flip()
    if comesLate { await world.settle() }
    var values: [Int] = []
    for await value in observer {
      values.append(value)
      if world.flip() { await Task.yield() }
    }
    world.expectEqual(values, values.sorted(), "in order:")
    world.expectEqual(values.count + state.droppedCount, 6, "read or dropped, of 6:")
    world.expectEqual(values.last, 5, "it ends on the newest:")
    if state.droppedCount == 0 { world.expectEqual(values, Array(0...5)) }
    if comesLate { world.expectEqual(values, [4, 5], "a buffer of two kept:") }
  }
}
