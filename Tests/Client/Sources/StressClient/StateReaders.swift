import AsyncViewModels

let readers = [StressProgram("every kind of reader sees the values of a state in order", readInOrder)]

struct Numbers: Sendable, Equatable {
  var sent = 0
  var updates = 0
}

private func readInOrder(load: Load) async throws {
  let state = StateStore(Numbers())
  let kinds: [BufferingPolicy] = [
    .latest, .unbounded, .bounded(3), .bounded(1),
  ]
  let readers =
    kinds.map { read(state.states($0)) { $0.sent } } + kinds.map { read(state.values($0)) { $0.sent } }
    + kinds.map { read(state.states(of: \.self, $0)) { $0.sent } }
    + kinds.map { read(state.states(of: \.sent, $0)) { $0 } }
    + [readEach(state.values(), waits: true), readEach(state.values(.unbounded), waits: false)]
  let rounds = 50_000 / load.tasks
  try await withThrowingTaskGroup { group in
    group.addTask {
      for number in 1...rounds {
        state.send(Numbers(sent: number))
        try expect(state.value.sent >= number, "the state is older than \(number)")
        if number % 50 == 0 { await Task.yield() }
      }
    }
    for _ in 1..<load.tasks {
      group.addTask {
        for round in 1...rounds {
          state.update { $0.updates += 1 }
          if round % 50 == 0 { await Task.yield() }
        }
      }
    }
    try await group.waitForAll()
  }
  state.finish()
  for reader in readers { try expectEqual(try await reader.value, rounds, "the last value of a reader") }
}

/// Reads a sequence in the task that it returns. The numbers of its elements must not decrease.
///
/// - Returns: The last number.
func read<Source: AsyncSequence & Sendable>(
  _ source: Source, _ number: @escaping @Sendable (Source.Element) -> Int
) -> Task<Int, any Error> where Source.Failure == Never {
  Task {
    var last = 0
    for await value in source { last = try increasing(number(value), after: last) }
    return last
  }
}

private func readEach(_ values: ObserverSequence<Numbers>, waits: Bool) -> Task<Int, any Error> {
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

private func increasing(_ number: Int, after last: Int) throws(Unexpected) -> Int {
  try expect(number >= last, "\(number) came after \(last)")
  return number
}
