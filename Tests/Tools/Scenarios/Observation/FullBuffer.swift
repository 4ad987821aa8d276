import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let fullBuffer = Scenario(
    "observation/full-buffer",
    "a full buffer keeps the oldest or the newest values, as requested, and counts the values that it drops",
    tasks: 4
  ) { world in
    let state = StateStore(0)
    let overflow = world.choose(from: [BufferingPolicy.Overflow.oldest, .newest])
    let observer = state.values(.bounded(2, dropping: overflow))
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
    if overflow == .oldest { world.expectEqual(values.last, 5, "it ends on the newest:") }
    if overflow == .newest { world.expectEqual(values.first, 0, "it begins at the beginning:") }
    if state.droppedCount == 0 { world.expectEqual(values, Array(0...5)) }
    if comesLate {
      world.expectEqual(values, overflow == .oldest ? [4, 5] : [0, 1], "a buffer of two kept:")
    }
  }
}
