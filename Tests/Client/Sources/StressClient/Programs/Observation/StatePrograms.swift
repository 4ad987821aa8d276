import AsyncViewModels

extension StressProgram {
  static var observation: [StressProgram] {
    states + events + observe + pacedStreams + combinedStreams + throwingObservations
  }

  private static var states: [StressProgram] {
    [
      StressProgram(
        name: "state-updates", summary: "no update is lost if all tasks update one state", run: updates),
      StressProgram(
        name: "state-order",
        summary: "one task sends increasing numbers while others update; no reader sees a number decrease",
        run: order),
      StressProgram(
        name: "state-readers",
        summary:
          "while tasks update and send, every kind of reader sees the numbers in order, and the last value",
        run: readers),
      StressProgram(
        name: "state-reentrancy",
        summary:
          "a send inside an update takes effect after the update; deinits of values can use the state",
        run: reentrancy),
      StressProgram(
        name: "state-observers",
        summary: "observers of every kind come and go during sends; the counts return to zero",
        run: observers),
      StressProgram(
        name: "state-first",
        summary:
          "firstNonNil finds a match that stays the current state, and throws after a cancellation or finish",
        run: firstMatch),
      StressProgram(
        name: "state-end", summary: "finish or the release of a state ends every reader",
        run: end),
    ]
  }

  /// Reproduces an earlier crash: an update is inlined into an async function that resumes on other threads.
  private static func updates(load: Load) async throws {
    let state = ObservableState(0)
    let rounds = 100_000
    try await load.inParallel { _ in
      for round in 1...rounds {
        state.update { $0 += 1 }
        if round % 100 == 0 { await Task.yield() }
      }
    }
    try expectEqual(state.value, rounds * load.tasks, "updates")
  }

  private static func firstMatch(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...300 {
        let state = ObservableState(0)
        let waiting = Task { try await state.firstNonNil { $0 >= 20 ? "\($0)" : nil } }
        let cancelled = Task { try await state.firstNonNil { $0 < 0 ? $0 : nil } }
        for number in 1...20 {
          state.send(number)
          if (number + task) % 7 == 0 { await Task.yield() }
        }
        if round % 2 == 0 { cancelled.cancel() } else { state.finish() }
        try expectEqual(try await waiting.value, "20", "the first match")
        do {
          _ = try await cancelled.value
          throw Unexpected(description: "a call without a match returned")
        } catch is CancellationError {}
        try expectEqual(state.observerCount, 0, "observers")
      }
    }
  }

  private struct Numbers: Sendable, Equatable {
    var sent = 0
    var updates = 0
  }

  /// Reproduces an earlier error: values arrived out of order, although only one task sent.
  private static func order(load: Load) async throws {
    let state = ObservableState(Numbers())
    let reader = OrderedReaders.read(state.states(.unbounded)) { $0.sent }
    let rounds = 100_000
    await withTaskGroup { group in
      group.addTask {
        for number in 1...rounds {
          state.send(Numbers(sent: number))
          if number % 20 == 0 { await Task.yield() }
        }
      }
      for _ in 0..<load.tasks / 4 {
        group.addTask {
          for round in 1...rounds {
            state.update { $0.updates += 1 }
            if round % 20 == 0 { await Task.yield() }
          }
        }
      }
      // These tasks keep the threads busy, so that the tasks above often resume on another thread.
      for _ in 0..<load.tasks / 2 {
        group.addTask { for _ in 0..<rounds / 10 { await Task.yield() } }
      }
    }
    state.finish()
    try expectEqual(try await reader.value, rounds, "the last value sent")
  }

  private static func readers(load: Load) async throws {
    let state = ObservableState(Numbers())
    let readers = OrderedReaders(state)
    let rounds = 100_000 / load.tasks
    try await withThrowingTaskGroup { group in
      group.addTask {
        for number in 1...rounds {
          state.send(Numbers(sent: number))
          if state.value.sent < number {
            throw Unexpected(description: "the state is older than \(number)")
          }
          if number % 50 == 0 { await Task.yield() }
        }
      }
      for _ in 1..<load.tasks {
        group.addTask {
          for round in 1...rounds {
            let updates = state.update { value in
              value.updates += 1
              return value.updates
            }
            try expect(updates > 0, "an update returned \(updates)")
            if round % 50 == 0 { await Task.yield() }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = state.value
    try expectEqual(last.sent, rounds, "the last value sent")
    state.finish()
    try await readers.expectOrder(upTo: last.sent)
  }

  /// One reader of each kind. Each must see increasing numbers.
  private struct OrderedReaders {
    private let readers: [Task<Int, any Error>]

    init(_ state: ObservableState<Numbers>) {
      let kinds: [BufferingPolicy] = [
        .latest, .unbounded, .bounded(3, dropping: .oldest), .bounded(1, dropping: .oldest),
      ]
      readers =
        kinds.map { Self.read(state.states($0)) { $0.sent } }
        + kinds.map { Self.read(state.values($0)) { $0.sent } }
        + kinds.map { Self.read(state.states(of: \.self, $0)) { $0.sent } }
        + kinds.map { Self.read(state.states(of: \.sent, $0)) { $0 } }
        + [Self.readEach(state.values(), waits: true), Self.readEach(state.values(.unbounded), waits: false)]
    }

    func expectOrder(upTo last: Int) async throws {
      for reader in readers { try expectEqual(try await reader.value, last, "the last value of a reader") }
    }

    static func read<Source: AsyncSequence & Sendable>(
      _ source: Source, _ number: @escaping @Sendable (Source.Element) -> Int
    ) -> Task<Int, any Error> where Source.Failure == Never {
      Task {
        var last = 0
        for await value in source { last = try increasing(number(value), after: last) }
        return last
      }
    }

    private static func readEach(_ values: SubscriptionSequence<Numbers>, waits: Bool) -> Task<Int, any Error>
    {
      Task {
        var last = 0
        if waits {
          try await values.forEach { value async throws in
            last = try increasing(value.sent, after: last)
            await Task.yield()
          }
        } else {
          try await values.forEach { value throws in last = try increasing(value.sent, after: last) }
        }
        return last
      }
    }

    private static func increasing(_ number: Int, after last: Int) throws(Unexpected) -> Int {
      try expect(number >= last, "\(number) came after \(last)")
      return number
    }
  }

  private static func reentrancy(load: Load) async throws {
    let kinds: [BufferingPolicy] = [
      .latest, .unbounded, .bounded(2, dropping: .oldest), .bounded(1, dropping: .newest),
    ]
    try await load.inParallel { task in
      let own = ObservableState(0)
      let (sent, updated) = (ObservableState(DeinitAction {}), ObservableState(DeinitAction {}))
      for round in 1...1_000 {
        own.update { value in
          own.send(round * 2)
          value = round * 2 - 1
        }
        try expectEqual(own.value, round * 2, "the value after a send from inside an update")
        let readers = (sent.states(kinds[round % 4]), updated.states(kinds[round % 4]))
        sent.send(
          DeinitAction { [weak sent] in
            _ = sent?.value
            sent?.update { $0 = DeinitAction {} }
            _ = sent?.observerCount
          })
        // The caller ignores the old value, which is released after the unlock.
        sent.update { exchange(&$0, with: DeinitAction {}) }
        // The replaced value is released in the body of the update, where a `deinit` may only send to the
        // state.
        updated.updateInPlace { $0 = DeinitAction { [weak updated] in updated?.send(DeinitAction {}) } }
        // The replaced value is released after the unlock, where a `deinit` may use the state.
        updated.update {
          $0 = DeinitAction { [weak updated] in
            _ = updated?.value
            updated?.send(DeinitAction {})
          }
        }
        if round % 16 == 0 { await Task.yield() }
        withExtendedLifetime(readers) {}
      }
    }
  }

  private static func observers(load: Load) async throws {
    let state = ObservableState(0)
    let (updates, dropped) = (Tally(), Tally())
    try await load.inParallel { task in
      for round in 1...200 {
        let bound = 1 + task % 4
        let streams = (
          state.states(), state.states(.unbounded), state.states(of: { $0 / 2 }),
          state.values(.bounded(bound, dropping: round % 2 == 0 ? .oldest : .newest))
        )
        state.update { $0 += 1 }
        updates.add()
        var concrete = streams.3.makeAsyncIterator()
        if await concrete.next() == nil { throw Unexpected(description: "a stream ended before finish()") }
        for await value in streams.0 {
          try expect(value > 0, "the first value is \(value)")
          break
        }
        let reader = Task { for await _ in streams.1 {} }
        if round % 2 == 0 { await Task.yield() }
        reader.cancel()
        await reader.value
        for _ in 0...bound { state.update { $0 += 1 } }
        updates.add(bound + 1)
        let drops = streams.3.droppedCount
        try expect(drops > 0, "a buffer of \(bound) dropped none of \(bound + 1) updates")
        dropped.add(drops)
        try expect(state.observerCount > 0, "the observers of living streams are not counted")
        withExtendedLifetime(streams) {}
      }
    }
    await until { state.observerCount == 0 }
    try expectEqual(state.value, updates.value, "updates")
    try expect(
      state.droppedCount >= dropped.value,
      "\(state.droppedCount) drops, but observers counted \(dropped.value)")
  }

  private static func end(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...100 {
        var state: ObservableState<Int>? = ObservableState(round)
        let streams = [state?.states(), state?.states(of: \.self, .unbounded)].compactMap(\.self)
        let values = state?.values()
        let readers = streams.map { stream in Task { await stream.reduce(0) { $1 } } }
        let reader = Task { await values?.reduce(0) { $1 } }
        if round % 2 == 0 { await Task.yield() }
        if round % 3 == 0 {
          state?.finish()
          state?.send(-1)
          state?.update { $0 = -2 }
          try expectEqual(state?.value, round, "the value after finish()")
        }
        state = nil
        for reader in readers { try expectEqual(await reader.value, round, "the last value of a stream") }
        try expectEqual(await reader.value, round, "the last value of a concrete sequence")
      }
    }
  }
}
