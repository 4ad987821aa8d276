import AsyncViewModels

extension StressProgram {
  static var isolatedDeadlines: [StressProgram] {
    [
      StressProgram(
        name: "deadline-isolation", summary: "operations with a deadline run on the actor of their caller",
        run: isolated)
    ]
  }

  private static func isolated(load: Load) async throws {
    let worker = Worker()
    try await load.inParallel { task in
      for round in 1...300 {
        try await worker.work(round)
        try await workOnMain(round)
      }
    }
    let steps = await worker.steps
    try expectEqual(steps, 1_200 * load.tasks, "steps on the actor")
  }

  private actor Worker {
    private(set) var steps = 0

    func work(_ round: Int) async throws {
      let clock = ContinuousClock()
      let answer = try await withDeadline(long) {
        try await self.step()
        return round
      }
      try await withDeadline(until: clock.now.advanced(by: long), clock: clock) { try await self.step() }
      self.preconditionIsolated()
      try expectEqual(answer, round, "the result of an operation on an actor")
    }

    private func step() async throws {
      steps += 1
      await Task.yield()
      self.preconditionIsolated()
      steps += 1
    }
  }

  @MainActor
  private static func workOnMain(_ round: Int) async throws {
    var last = 0
    try await withDeadline(long) {
      await Task.yield()
      MainActor.preconditionIsolated()
      last = round
    }
    MainActor.preconditionIsolated()
    try expectEqual(last, round, "the value set by an operation on the main actor")
  }
}
