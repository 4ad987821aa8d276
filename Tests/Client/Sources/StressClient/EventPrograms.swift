import AsyncViewModels

let events = [
  StressProgram("every observer receives every event in the order of its sender", sent),
  StressProgram("one observer receives each kept event", kept),
  StressProgram("dropped events are released outside the lock", dropped),
]

private struct Event: Sendable {
  let sender: Int
  let number: Int
}

private func sent(load: Load) async throws {
  let channel = EventChannel<Event>()
  let rounds = 20_000 / load.tasks
  let readers = (0..<6).map { kind in
    let (stream, events) = (channel.stream(), channel.events())
    return Task {
      var seen = Array(repeating: 0, count: load.tasks)
      func note(_ event: Event) throws(Unexpected) {
        try expectEqual(event.number, seen[event.sender] + 1, "the next event of sender \(event.sender)")
        seen[event.sender] = event.number
      }
      switch kind % 3 {
      case 0: for await event in stream { try note(event) }
      case 1: for await event in events { try note(event) }
      default: try await events.forEach { event throws(Unexpected) in try note(event) }
      }
      try expectEqual(seen, Array(repeating: rounds, count: load.tasks), "the events of each sender")
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

private func kept(load: Load) async throws {
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
      group.addTask {
        var taken: [Int] = []
        for round in 0..<rounds {
          let reader = Task { await channel.events().first { _ in true } }
          // Every third reader is cancelled, so that the others find enough events.
          if round % 3 == 0 { reader.cancel() }
          if let event = await reader.value { taken.append(event) }
        }
        return taken
      }
    }
    return try await group.reduce(into: []) { $0 += $1 }
  }
  channel.finish()
  let left = await channel.stream().reduce(into: []) { $0.append($1) }
  try expectEqual((taken + left).sorted(), Array(0..<rounds * load.tasks), "the events received and left")
}

private func dropped(load: Load) async throws {
  let channel = EventChannel<DeinitAction>()
  try await load.inParallel { _ in
    for round in 1...500 {
      let full = channel.events(.bounded(1))
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
  channel.finish()
  channel.keepForFirstObserver(DeinitAction { [weak channel] in _ = channel?.observerCount })
  for await _ in channel.stream() { throw Unexpected(description: "an event was kept after finish()") }
}
