import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let pacedByFrames = Scenario(
    "timing/paced-by-frames",
    """
    a screen that is paced by frames receives the first value at once, never two values in one frame, and the last \
    value, even if its body takes time and the state ends; a cancelled screen leaves no timer behind
    """, tasks: 4
  ) { world in
    let frame = Duration.milliseconds(100)
    let state = StateStore(0)
    let stream = state.states(pacing: .frames(perSecond: 10, clock: world.clock))
    let (seen, frames) = (EventLog<Int>(), EventLog<Int>())
    let busy = EventLog<(first: Int, last: Int)>()
    let screen = world.spawn("screen") {
      for await value in stream {
        let first = Int(world.clock.now.offset / frame)
        seen.append(value)
        frames.append(first)
        try? await world.clock.sleep(for: .milliseconds(world.choose(from: [0, 50, 150])))
        busy.append((first, Int(world.clock.now.offset / frame)))
      }
    }
    await world.settle()
    world.expectEqual(seen.values, [0], "the first value:")
    world.expectEqual(frames.values, [0], "the frame of the first value:")
    world.expectEqual(world.clock.sleeperCount, 0, "timers while nothing changes:")
    let isEnded = world.flip()
    world.spawn("sender") {
      for number in 1...5 {
        state.send(number)
        try await world.clock.sleep(for: .milliseconds(world.choose(from: [30, 0, 100, 230])))
      }
      state.send(6)
      if isEnded { state.finish() }
    }
    let isCancelled = world.flip()
    if isCancelled { world.faults.cancellation(of: screen, upTo: .milliseconds(400)) }
    if isEnded || isCancelled { await screen.waitForEnd() } else { await world.settle() }
    world.expectEqual(seen.values, Array(Set(seen.values)).sorted(), "in order:")
    for (earlier, later) in zip(busy.values, busy.values.dropFirst()) {
      world.expect(earlier.last < later.first, "two calls in one frame: \(busy.values)")
    }
    if !isCancelled { world.expectEqual(seen.values.last, 6, "the last value:") }
    await world.settle()
    world.expectEqual(world.clock.sleeperCount, 0, "timers left:")
    screen.cancel()
    await screen.waitForEnd()
    world.expectEqual(state.observerCount, 0, "still observed:")
  }
}
