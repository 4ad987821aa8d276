import AsyncViewModels

let states = [
  StressProgram("no update of a state is lost", updates),
  StressProgram("no update in place of a state is lost", updatesInPlace),
  StressProgram("an update can send to its state", sends),
  StressProgram("a state publishes in order", order),
  StressProgram("values of a state are released outside its lock", releasedValues),
  StressProgram("a wait for a state finds its match", firstMatch),
  StressProgram("observers of a state come and go", counts),
]

/// Reproduces an earlier crash: an update was inlined into this function together with the identity of its thread, which changes
/// after an `await`. The function is small, so that the compiler inlines the update.
private func updates(load: Load) async throws {
  let state = StateStore(0)
  let rounds = 50_000
  try await load.inParallel { _ in
    for round in 1...rounds {
      state.update { $0 += 1 }
      if round % 100 == 0 { await Task.yield() }
    }
  }
  try expectEqual(state.value, rounds * load.tasks, "updates")
}

private func updatesInPlace(load: Load) async throws {
  let state = StateStore(0)
  let rounds = 50_000
  try await load.inParallel { _ in
    for round in 1...rounds {
      state.updateInPlace { $0 += 1 }
      if round % 100 == 0 { await Task.yield() }
    }
  }
  try expectEqual(state.value, rounds * load.tasks, "updates in place")
}

/// As ``updates(load:)``, but each update also sends: a send that is not recognized as part of the update waits for its lock.
private func sends(load: Load) async throws {
  try await load.inParallel { _ in
    let state = StateStore(0)
    for round in 1...10_000 {
      state.update { value in
        state.send(round)
        value = -round
      }
      try expectEqual(state.value, round, "the value after a send from inside an update")
      if round % 100 == 0 { await Task.yield() }
    }
  }
}

/// Values once arrived out of order, although only one task sent.
private func order(load: Load) async throws {
  let state = StateStore(Numbers())
  let reader = read(state.states(.unbounded)) { $0.sent }
  let rounds = 50_000
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
    // These tasks keep the threads busy, so that the tasks above often continue on another thread.
    for _ in 0..<load.tasks / 2 {
      group.addTask { for _ in 0..<rounds / 10 { await Task.yield() } }
    }
  }
  state.finish()
  try expectEqual(try await reader.value, rounds, "the last value sent")
}

private func releasedValues(load: Load) async throws {
  let kinds: [BufferingPolicy] = [
    .latest, .unbounded, .bounded(2), .bounded(1),
  ]
  try await load.inParallel { _ in
    let (sent, updated) = (StateStore(DeinitAction {}), StateStore(DeinitAction {}))
    for round in 1...1_000 {
      let readers = (sent.states(kinds[round % 4]), updated.states(kinds[round % 4]))
      sent.send(
        DeinitAction { [weak sent] in
          sent?.update { $0 = DeinitAction {} }
          _ = sent?.observerCount
        })
      // The replaced value is released in the body of the update, where a `deinit` may only send to the state.
      updated.updateInPlace { $0 = DeinitAction { [weak updated] in updated?.send(DeinitAction {}) } }
      // The replaced value is released after the unlock, where a `deinit` may use the state.
      updated.update { $0 = DeinitAction { [weak updated] in _ = updated?.value } }
      if round % 16 == 0 { await Task.yield() }
      withExtendedLifetime(readers) {}
    }
  }
}

private func firstMatch(load: Load) async throws {
  try await load.inParallel { task in
    for round in 1...300 {
      let state = StateStore(0)
      let waiting = Task { try await state.firstNonNil { $0 >= 20 ? "\($0)" : nil } }
      let cancelled = Task { try await state.first { $0 < 0 } }
      for number in 1...20 {
        state.send(number)
        if (number + task) % 7 == 0 { await Task.yield() }
      }
      if round % 2 == 0 { cancelled.cancel() } else { state.finish() }
      try expectEqual(try await waiting.value, "20", "the first match")
      let failure = await TaskOutcome(of: { try await cancelled.value })
      guard case .cancelled = failure else { throw Unexpected(description: "no match, but \(failure)") }
      try expectEqual(state.observerCount, 0, "observers")
    }
  }
}

private func counts(load: Load) async throws {
  let state = StateStore(0)
  try await load.inParallel { task in
    for round in 1...200 {
      let bound = 1 + task % 4
      let streams = (
        state.states(), state.states(.unbounded),
        state.values(.bounded(bound))
      )
      state.update { $0 += 1 }
      var iterator = streams.2.makeAsyncIterator()
      if await iterator.next() == nil { throw Unexpected(description: "a stream ended before finish()") }
      for await value in streams.0 {
        try expect(value > 0, "the first value is \(value)")
        break
      }
      let reader = Task { for await _ in streams.1 {} }
      if round % 2 == 0 { await Task.yield() }
      reader.cancel()
      await reader.value
      for _ in 0...bound { state.update { $0 += 1 } }
      try expect(streams.2.droppedCount > 0, "a buffer of \(bound) dropped none of \(bound + 1) updates")
      try expect(state.observerCount > 0, "the observers of living streams are not counted")
      withExtendedLifetime(streams) {}
    }
  }
  await until { state.observerCount == 0 }
  try expect(state.droppedCount > 0, "no value was dropped")
}
