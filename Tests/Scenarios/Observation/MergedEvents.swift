import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let mergedEvents = Scenario(
    "observation/merged-events",
    """
    a stream of the events of two channels loses no event, keeps the order of each channel, and ends when \
    both channels have finished or its reader is cancelled
    """, tasks: 4
  ) { world in
    let channels = [EventChannel<Int>(), EventChannel<Int>()]
    let seen = EventLog<Int>()
    let merged = AsyncStream(merging: channels[0].events(), channels[1].stream())
    let isCancelled = world.flip()
    let staysOpen = isCancelled && world.flip()
    let reader = world.spawn("reader") {
      for await event in merged {
        seen.append(event)
        if world.flip() { await Task.yield() }
      }
    }
    for (number, channel) in channels.enumerated() {
      world.spawn("sender \(number)") {
        for event in 1...2 {
          channel.send(number * 10 + event)
          if world.flip() { await Task.yield() }
        }
        if !staysOpen { channel.finish() }
      }
    }
    if isCancelled { world.faults.cancellation(of: reader) }
    await reader.finish()
    await world.settle()
    for number in 0...1 {
      let events = seen.values.filter { $0 / 10 == number }
      world.expectEqual(
        events, Array([number * 10 + 1, number * 10 + 2].prefix(events.count)), "events of one channel:")
    }
    if !isCancelled { world.expectEqual(seen.values.count, 4, "events:") }
    world.expectEqual(channels.map(\.observerCount), [0, 0], "observers left:")
    withExtendedLifetime(merged) {}
  }
}
