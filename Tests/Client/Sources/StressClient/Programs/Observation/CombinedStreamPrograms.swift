import AsyncViewModels

extension StressProgram {
  static var combinedStreams: [StressProgram] {
    [
      StressProgram(
        name: "combine-latest",
        summary:
          "no tuple has an older value than the tuple before it, and the last tuple arrives before the end",
        run: combining),
      StressProgram(
        name: "combined-leaving", summary: "however a reader leaves, no input keeps an observer", run: leaving
      ),
    ]
  }

  private static func combining(load: Load) async throws {
    for _ in 1...10 {
      let (first, second) = (ObservableState(0), ObservableState("0"))
      let third = EventChannel<Int>()
      let readers = (1...4).map { _ in
        let triples = AsyncStream(combiningLatest: first.values(), second.states(), third.events(.latest))
        return Task {
          var last = (0, 0, 0)
          for await (one, two, three) in triples {
            let two = Int(two) ?? -1
            try expect(
              one >= last.0 && two >= last.1 && three >= last.2, "\((one, two, three)) came after \(last)")
            last = (one, two, three)
          }
          return last
        }
      }
      try await load.inParallel { _ in
        for number in 1...100 {
          first.update { $0 += 1 }
          second.update { $0 = "\((Int($0) ?? -1) + 1)" }
          if number % 16 == 0 { await Task.yield() }
        }
      }
      third.send(7)
      first.finish()
      second.finish()
      third.finish()
      for reader in readers {
        let last = try await reader.value
        try expectEqual(last.0, first.value, "the last value of the first input")
        try expectEqual("\(last.1)", second.value, "the last value of the second input")
        try expectEqual(last.2, 7, "the last value of the third input")
      }
    }
  }

  private static func leaving(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...200 {
        let (state, channel) = (ObservableState(0), EventChannel<Int>())
        let pair = Task { [pairs = AsyncStream(combiningLatest: state.values(), channel.stream())] in
          await pairs.first { _ in true }
        }
        let reader = Task {
          [pairs = AsyncStream(combiningLatest: state.states(), channel.events())] in
          for await _ in pairs where round % 3 == 0 { break }
        }
        if round % 2 == 0 { await Task.yield() }
        await atOnce({ state.send(round) }, { channel.send(round) }, { reader.cancel() })
        await reader.value
        try expectEqual(await pair.value?.1, round, "the latest event")
        await until { state.observerCount == 0 && channel.observerCount == 0 }
      }
    }
  }
}
