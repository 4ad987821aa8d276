import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let noGapAfterSubscribing = Scenario(
    "observation/no-gap-after-subscribing",
    """
    no matter when an observer with an unbounded buffer subscribes, its values after the first one have no \
    gap; no observer sees an older value after a newer one
    """, tasks: 2
  ) { world in
    let state = StateStore(0)
    let kinds = [("latest", BufferingPolicy.latest), ("complete", .unbounded)]
    for (name, buffering) in world.flip() ? kinds : [kinds[0]] {
      world.spawn(name) {
        if world.flip() { await Task.yield() }
        let snapshot = state.value
        let observer = state.values(buffering)
        var last = await observer.first { _ in true } ?? -1
        world.expect(last >= snapshot, "\(name) began with \(last), older than the snapshot \(snapshot)")
        for await value in observer {
          world.expect(value > last, "\(name) saw \(value) after \(last)")
          if buffering == .unbounded { world.expectEqual(value, last + 1, "no gap:") }
          last = value
          if value == 1, world.flip() { await Task.yield() }
        }
        world.expectEqual(last, 3, "the last value of \(name):")
      }
    }
    for value in 1...3 {
      await Task.yield()
      state.send(value)
    }
    await world.settle()
    state.finish()
    await world.settle()
    for buffering in [BufferingPolicy.latest, .unbounded] {
      var late: [Int] = []
      for await value in state.values(buffering) { late.append(value) }
      world.expectEqual(late, [3], "after the finish:")
    }
    world.expectEqual(state.observerCount, 0, "observers left:")
  }
}
