import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let subscribeAgainstSend = Scenario(
    "observation/subscribe-against-send",
    """
    an observer that subscribes while values are sent never sees an older value after a newer one, and \
    always sees the last value
    """, tasks: 2
  ) { world in
    let state = StateStore(0)
    let sender = world.spawn("sender") {
      for value in 1...3 {
        await Task.yield()
        state.send(value)
      }
      await Task.yield()
      state.finish()
    }
    let observer = world.spawn("observer") {
      await Task.yield()
      let atStart = state.value
      var seen: [Int] = []
      for await value in state.states() { seen.append(value) }
      world.expect((seen.first ?? -1) >= atStart, "it began with \(seen) after \(atStart) was sent")
      world.expectEqual(seen, seen.sorted(), "in order")
      world.expectEqual(seen.last, 3, "the last value")
    }
    await sender.waitForEnd()
    await observer.waitForEnd()
  }
}
