import AsyncViewModels

extension StressProgram {
  static var parts: [StressProgram] {
    [
      StressProgram(
        name: "parts",
        summary:
          "each part is received once, one at a time, on the caller's actor, and never more run than allowed",
        run: load_),
      StressProgram(
        name: "parts-refused", summary: "parts with one name, or a wrong limit, begin nothing", run: refused),
    ]
  }

  private static func work(
    _ name: Int, _ running: Tally, _ limit: Int?, _ findings: Findings
  ) async throws -> Int {
    let now = running.add()
    defer { running.add(-1) }
    findings.expect(now <= limit ?? .max, "\(now) parts run under a limit of \(limit ?? 0)")
    if name % 2 == 0 { await Task.yield() }
    if name % 5 == 1 { throw TestError() }
    return name
  }

  private actor Loader {
    private var outcomes: [Int: TaskOutcome<Int>] = [:]
    private var isReceiving = false

    func load(_ parts: [NamedTask<Int, Int>], limit: Int?) async throws -> [Int: TaskOutcome<Int>] {
      outcomes = [:]
      try await parts.runConcurrently(limit: limit) { name, outcome in
        await receive(name, outcome, isExpected: parts.contains { $0.name == name })
      }
      return outcomes
    }

    func load(
      _ names: [Int], _ work: @escaping @Sendable (Int) async throws -> Int
    ) async -> [Int: TaskOutcome<Int>] {
      outcomes = [:]
      await names.runConcurrently(work) { name, outcome in
        await receive(name, outcome, isExpected: names.contains(name))
      }
      return outcomes
    }

    private func receive(_ name: Int, _ outcome: TaskOutcome<Int>, isExpected: Bool) async {
      self.preconditionIsolated()
      if isReceiving || !isExpected { fatalError("\(name) was received within another call, or unasked") }
      isReceiving = true
      if name % 4 == 0 { await Task.yield() }
      isReceiving = false
      if let earlier = outcomes.updateValue(outcome, forKey: name) {
        fatalError("\(name) was received twice: \(earlier) and \(outcome)")
      }
    }
  }

  private static func load_(load: Load) async throws {
    let findings = Findings()
    try await load.inParallel { task in
      let loader = Loader()
      for round in 1...60 {
        let limit: Int? = [nil, 1, 3, 50][round % 4]
        let running = Tally()
        let parts = (0..<16).map { name in
          NamedTask(name) { try await work(name, running, limit, findings) }
        }
        let caller = Task { try await loader.load(parts, limit: limit) }
        if round % 3 == 0 { await atOnce({ caller.cancel() }, { caller.cancel() }) }
        try expectOutcomes(try await caller.value, isCancelled: round % 3 == 0)
        let byName = Task {
          await loader.load(Array(0..<16)) { try await work($0, running, nil, findings) }
        }
        if round % 5 == 0 { byName.cancel() }
        try expectOutcomes(await byName.value, isCancelled: round % 5 == 0)
        try expectEqual(running.value, 0, "parts that still run")
      }
      try await onMain()
    }
    try findings.check()
  }

  private static func expectOutcomes(
    _ outcomes: [Int: TaskOutcome<Int>], isCancelled: Bool
  ) throws(Unexpected) {
    try expectEqual(outcomes.keys.sorted(), Array(0..<16), "the parts that were received")
    for (name, outcome) in outcomes {
      switch outcome {
      case .success(let value): try expectEqual(value, name, "the value of a part")
      case .failure(let error):
        try expect(error is TestError && name % 5 == 1, "part \(name) failed with \(error)")
      case .cancelled: try expect(isCancelled, "part \(name) was cancelled")
      }
    }
  }

  @MainActor
  private static func onMain() async throws {
    var names: [String] = []
    let parts = ["a", "b", "c"].map { name in
      NamedTask(name) {
        await Task.yield()
        return name
      }
    }
    try await parts.runConcurrently { name, outcome in
      MainActor.preconditionIsolated()
      await Task.yield()
      if outcome.value == name { names.append(name) }
    }
    await ["d", "e"].runConcurrently({ $0 }) { name, _ in
      MainActor.preconditionIsolated()
      names.append(name)
    }
    try expectEqual(names.sorted(), ["a", "b", "c", "d", "e"], "parts on the main actor")
  }

  private static func refused(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...3_000 {
        let begun = Tally()
        let parts = [1, 2, 1].map { name in NamedTask(name) { begun.add() } }
        let isLimit = round % 2 == 0
        do throws(ParallelError) {
          try await parts.runConcurrently(limit: isLimit ? 0 : 2) { _, _ in begun.add() }
        } catch {
          try expectEqual(error, isLimit ? .invalidLimit(0) : .duplicateName("1"), "the error of parts")
          try expect(error.description.contains(isLimit ? "0" : "1"), "an error without its cause: \(error)")
          begun.add(-1)
        }
        try expectEqual(begun.value, -1, "refusals, and parts that began")
        if round % 16 == 0 { await Task.yield() }
      }
    }
  }
}
