import AsyncViewModels

extension StressProgram {
  static var events: [StressProgram] {
    [
      StressProgram(
        name: "events-sent", summary: "every observer receives every event once, in the order of each sender",
        run: sent),
      StressProgram(
        name: "events-kept",
        summary: "exactly one of many short-lived observers receives each kept event",
        run: kept),
      StressProgram(
        name: "events-dropped",
        summary: "events that a full buffer drops or an observer leaves unread are released outside the lock",
        run: dropped),
    ]
  }

  private struct Event: Sendable {
    let sender: Int
    let number: Int
  }

  private static func sent(load: Load) async throws {
    let channel = EventChannel<Event>()
    let rounds = 20_000 / load.tasks
    let readers = (0..<6).map { number in
      let (stream, events) = (channel.stream(), channel.events())
      return Task {
        var seen = Array(repeating: 0, count: load.tasks)
        func note(_ event: Event) throws(Unexpected) {
          try expectEqual(event.number, seen[event.sender] + 1, "the next event of sender \(event.sender)")
          seen[event.sender] = event.number
        }
        switch number % 3 {
        case 0: for await event in stream { try note(event) }
        case 1: for await event in events { try note(event) }
        default: try await events.forEach { event throws(Unexpected) in try note(event) }
        }
        try expectEqual(
          seen, Array(repeating: rounds, count: load.tasks), "events that a reader received of each sender")
      }
    }
    try await load.inParallel { sender in
      for number in 1...rounds {
        channel.send(Event(sender: sender, number: number))
        if number % 32 == 0 { await Task.yield() }
      }
    }
    channel.finish()
    channel.send(Event(sender: 0, number: -1))
    for reader in readers { try await reader.value }
    await until { channel.observerCount == 0 }
  }

  private static func kept(load: Load) async throws {
    let channel = EventChannel<Int>()
    let rounds = 4_000 / load.tasks
    let taken = try await withThrowingTaskGroup(of: [Int].self) { group in
      for task in 0..<load.tasks {
        group.addTask {
          for round in 0..<rounds {
            let event = round * load.tasks + task
            if round % 2 == 0 {
              channel.keepForFirstObserver(event)
            } else {
              channel.keepOnceForFirstObserver(event)
            }
            if round % 8 == 0 { await Task.yield() }
          }
          return []
        }
        group.addTask { await takeOneByOne(from: channel, times: rounds) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    channel.finish()
    let left = await channel.stream().reduce(into: []) { $0.append($1) }
    try expectEqual((taken + left).sorted(), Array(0..<rounds * load.tasks), "the events received and left")
  }

  /// Runs readers that take at most one event each. Every third reader is cancelled, so the other readers
  /// find enough events.
  private static func takeOneByOne(from channel: EventChannel<Int>, times: Int) async -> [Int] {
    var taken: [Int] = []
    for round in 0..<times {
      let reader = Task { await channel.events().first { _ in true } }
      if round % 3 == 0 { reader.cancel() }
      if let event = await reader.value { taken.append(event) }
    }
    return taken
  }

  private static func dropped(load: Load) async throws {
    let channel = EventChannel<DeinitAction>()
    try await load.inParallel { task in
      for round in 1...500 {
        let full = channel.events(.bounded(1, dropping: round % 2 == 0 ? .oldest : .newest))
        let unread = channel.stream()
        channel.send(DeinitAction { [weak channel] in _ = channel?.observerCount })
        channel.send(DeinitAction { [weak channel] in _ = channel?.droppedCount })
        if round % 16 == 0 { await Task.yield() }
        try expect(full.droppedCount > 0, "a full buffer dropped nothing")
        for await _ in full { break }
        withExtendedLifetime(unread) {}
      }
    }
    try expectEqual(channel.observerCount, 0, "observers at the end")
    try expect(channel.droppedCount >= 500 * load.tasks, "only \(channel.droppedCount) events were dropped")
    // Without an observer, the channel releases this event at once, and the `deinit` finishes the channel. A
    // finished channel keeps no event.
    channel.send(DeinitAction { [weak channel] in channel?.finish() })
    channel.keepForFirstObserver(DeinitAction { [weak channel] in _ = channel?.observerCount })
  }
}
