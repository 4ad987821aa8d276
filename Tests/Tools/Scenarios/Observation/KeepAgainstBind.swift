import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let keepAgainstBind = Scenario(
    "observation/keep-against-bind",
    """
    an event that is kept for the first observer reaches exactly one observer, no matter when the screens \
    bind, and even if one of them leaves
    """, tasks: 4
  ) { world in
    let channel = EventChannel<Int>()
    let taken = EventLog<Int>()
    let screens = (1...2).map { number in
      world.spawn("screen \(number)") {
        if world.flip() { await Task.yield() }
        for await event in channel.events() { taken.append(event) }
      }
    }
    world.spawn("holder") {
      for event in 1...3 {
        if world.flip() { await Task.yield() }
        channel.keepForFirstObserver(event)
      }
    }
    world.faults.cancellation(of: screens[0])
    await world.settle()
    screens[0].cancel()
    await world.settle()
    world.expectEqual(
      taken.values.sorted() + Array(repeating: 0, count: channel.keptCount), [1, 2, 3], "taken once:")
    channel.finish()
    await world.settle()
    world.expectEqual(channel.observerCount, 0, "observers left:")
  }
}
