import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let broadcast = Scenario(
    "observation/broadcast",
    "each event reaches each present observer once and in order, while other observers come and go", tasks: 4
  ) { world in
    let channel = EventChannel<Int>()
    for number in 1...2 {
      let events = channel.events()
      world.spawn("stays \(number)") {
        var seen: [Int] = []
        for await event in events { seen.append(event) }
        world.expectEqual(seen, [1, 2, 3, 4])
      }
    }
    world.spawn("comes late", canBeLeftOut: true) {
      await Task.yield()
      var seen: [Int] = []
      for await event in channel.stream() { seen.append(event) }
      world.expectEqual(seen, Array([1, 2, 3, 4].suffix(seen.count)), "the events after subscribing:")
    }
    let leaver = world.spawn("leaves", canBeLeftOut: true) { for await _ in channel.stream() {} }
    world.faults.cancellation(of: leaver)
    for event in 1...4 {
      channel.send(event)
      await Task.yield()
    }
    channel.finish()
    await world.settle()
    world.expectEqual(channel.observerCount, 0, "observers left:")
  }
}
