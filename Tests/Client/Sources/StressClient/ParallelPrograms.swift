import AsyncViewModels

let parallel = [
  StressProgram("the results of a concurrent map are in order", maps),
  StressProgram("each element has one outcome", outcomes),
]

private func maps(load: Load) async throws {
  try await load.inParallel { task in
    for round in 1...200 {
      let limit = [nil, 1, 2, 5, 100][round % 5]
      let numbers = try await (0..<20).concurrentMap(limit: limit) { number in
        await Task.yield()
        return number * round
      }
      try expectEqual(numbers, (0..<20).map { $0 * round }, "the results of a map")
      let caller = Task {
        try await (0..<20).concurrentMap(limit: limit) { number in
          if number == round % 20 { throw TestError() }
          await Task.yield()
        }
      }
      if round % 3 == 0 { caller.cancel() }
      switch await caller.result {
      case .success: throw Unexpected(description: "a map with an error returned")
      case .failure(let error):
        try expect(error is TestError || round % 3 == 0, "the map failed with \(error)")
      }
    }
  }
}

private actor Loader {
  private var values: [Int: Int?] = [:]

  func load(limit: Int?) async -> [Int: Int?] {
    values = [:]
    let work: @Sendable (Int) async throws -> Int = { name in
      await Task.yield()
      if name % 5 == 1 { throw TestError() }
      return name
    }
    await (0..<16).runConcurrently(limit: limit, work, receive: { await note($0, $1) })
    return values
  }

  private func note(_ name: Int, _ outcome: TaskOutcome<Int>) async {
    values[name] = outcome.value
    if name % 4 == 0 { await Task.yield() }
  }
}

private func outcomes(load: Load) async throws {
  try await load.inParallel { _ in
    for round in 1...60 {
      let values = await Loader().load(limit: [nil, 1, 3, 50][round % 4])
      let expected = (0..<16).map { ($0, $0 % 5 == 1 ? nil : $0) }
      try expectEqual(values, Dictionary(uniqueKeysWithValues: expected), "the outcomes of the elements")
    }
  }
}
