import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let keptInOrder = Scenario(
    "observation/kept-in-order",
    "an observer receives all events, sent or kept, in the order in which the channel got them", tasks: 4
  ) { world in
    let channel = EventChannel<Int>()
    let events = channel.events()
    let holds = world.flip()
    world.spawn("giver") {
      for event in 1...12 {
        if holds, world.flip() { channel.keepForFirstObserver(event) } else { channel.send(event) }
        if world.choose(4) == 1 { await Task.yield() }
      }
      channel.finish()
    }
    var seen: [Int] = []
    for await event in events {
      seen.append(event)
      if world.flip() { await Task.yield() }
    }
    world.expectEqual(seen, Array(1...12))
  }
}
