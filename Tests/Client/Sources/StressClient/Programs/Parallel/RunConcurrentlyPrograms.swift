import AsyncViewModels

extension StressProgram {
  static var runsConcurrently: [StressProgram] {
    [
      StressProgram(
        name: "run-concurrently",
        summary:
          "each result is received once, one at a time, on the caller's actor; the limit is never exceeded",
        run: results),
      StressProgram(
        name: "run-concurrently-errors", summary: "an invalid limit starts no work",
        run: errors),
    ]
  }

  private static func work(
    _ name: Int, _ running: Tally, _ limit: Int?, _ findings: Findings
  ) async throws -> Int {
    let now = running.add()
    defer { running.add(-1) }
    findings.expect(now <= limit ?? .max, "\(now) tasks run under a limit of \(limit ?? 0)")
    if name % 2 == 0 { await Task.yield() }
    if name % 5 == 1 { throw TestError() }
    return name
  }

  private actor Loader {
    private var outcomes: [Int: TaskOutcome<Int>] = [:]
    private var isReceiving = false

    func load(
      _ names: [Int], limit: Int?, _ work: @escaping @Sendable (Int) async throws -> Int
    ) async throws -> [Int: TaskOutcome<Int>] {
      outcomes = [:]
      if let limit {
        try await names.runConcurrently(limit: limit, work) { name, outcome in
          await receive(name, outcome, isExpected: names.contains(name))
        }
      } else {
        await names.runConcurrently(work) { name, outcome in
          await receive(name, outcome, isExpected: names.contains(name))
        }
      }
      return outcomes
    }

    private func receive(_ name: Int, _ outcome: TaskOutcome<Int>, isExpected: Bool) async {
      self.preconditionIsolated()
      if isReceiving || !isExpected {
        fatalError("\(name) was received inside another call or is unexpected")
      }
      isReceiving = true
      if name % 4 == 0 { await Task.yield() }
      isReceiving = false
      if let earlier = outcomes.updateValue(outcome, forKey: name) {
        fatalError("\(name) was received twice: \(earlier) and \(outcome)")
      }
    }
  }

  private static func results(load: Load) async throws {
    let findings = Findings()
    try await load.inParallel { task in
      let loader = Loader()
      for round in 1...60 {
        let limit: Int? = [nil, 1, 3, 50][round % 4]
        let running = Tally()
        let caller = Task {
          try await loader.load(Array(0..<16), limit: limit) { try await work($0, running, limit, findings) }
        }
        if round % 3 == 0 { await atOnce({ caller.cancel() }, { caller.cancel() }) }
        try expectOutcomes(try await caller.value, isCancelled: round % 3 == 0)
        try expectEqual(running.value, 0, "running tasks")
      }
      try await onMain()
    }
    try findings.check()
  }

  private static func expectOutcomes(
    _ outcomes: [Int: TaskOutcome<Int>], isCancelled: Bool
  ) throws(Unexpected) {
    try expectEqual(outcomes.keys.sorted(), Array(0..<16), "the received names")
    for (name, outcome) in outcomes {
      switch outcome {
      case .success(let value): try expectEqual(value, name, "the value of a task")
      case .failure(let error):
        try expect(error is TestError && name % 5 == 1, "task \(name) failed with \(error)")
      case .cancelled: try expect(isCancelled, "task \(name) was cancelled")
      }
    }
  }

  @MainActor
  private static func onMain() async throws {
    var names: [String] = []
    await ["a", "b", "c"].runConcurrently { name in
      await Task.yield()
      return name
    } receive: { name, outcome in
      MainActor.preconditionIsolated()
      await Task.yield()
      if outcome.value == name { names.append(name) }
    }
    await ["d", "e"].runConcurrently({ $0 }) { name, _ in
      MainActor.preconditionIsolated()
      names.append(name)
    }
    try expectEqual(names.sorted(), ["a", "b", "c", "d", "e"], "names received on the main actor")
  }

  private static func errors(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...3_000 {
        let started = Tally()
        do throws(ParallelError) {
          try await [1, 2].runConcurrently(limit: 0) { _ in
            started.add()
          } receive: { _, _ in
            started.add()
          }
        } catch {
          try expectEqual(error, .invalidLimit(0), "the error thrown")
          try expect(error.description.contains("0"), "the error does not name its cause: \(error)")
          started.add(-1)
        }
        try expectEqual(started.value, -1, "started tasks, with one error expected")
        if round % 16 == 0 { await Task.yield() }
      }
    }
  }
}
