import AsyncViewModels
import Dispatch

extension StressProgram {
  static var tokenHolds: [StressProgram] {
    [
      StressProgram(
        name: "token-hold",
        summary: "a held token does not run its action until the body of hold has ended, on any actor",
        run: hold)
    ]
  }

  private static func hold(load: Load) async throws {
    let holder = Holder()
    try await load.inParallel { task in
      let queue = DispatchQueue(label: "token-hold")
      for round in 1...400 {
        let (runs, freed) = (Tally(), Tally())
        let answer = try await armed(runs, freed).hold { () async throws(Unexpected) in
          await Task.yield()
          try expectEqual(runs.value, 0, "action runs of a held token")
          return round
        }
        try expectEqual(answer, round, "the result of the body")
        await until { runs.value == 1 && freed.value == 1 }
        try await holder.hold(armed(runs, freed), runs)
        try await holdOnMain(armed(runs, freed), runs)
        await CancellationToken.ended.hold { await Task.yield() }
        try await expectErrorRethrown(armed(runs, freed))
        await until { freed.value == 4 }
        // The action waits for the queue on which the token is cancelled, so the action must run elsewhere.
        await onQueue(queue) { CancellationToken { queue.sync { _ = runs.add() } }.cancelOnGlobalQueue() }
        await until { runs.value == 5 }
      }
    }
    let bodies = await holder.bodies
    try expectEqual(bodies, 400 * load.tasks, "bodies run on the actor")
  }

  private static func expectErrorRethrown(_ token: CancellationToken) async throws {
    do {
      try await token.hold { () async throws(TestError) in throw TestError() }
      throw Unexpected(description: "the error of the body was lost")
    } catch is TestError {}
  }

  private actor Holder {
    private(set) var bodies = 0

    func hold(_ token: CancellationToken, _ runs: Tally) async throws {
      let before = runs.value
      try await token.hold {
        await Task.yield()
        self.preconditionIsolated()
        bodies += 1
        try expectEqual(runs.value, before, "action runs of a token held on an actor")
      }
    }
  }

  @MainActor
  private static func holdOnMain(_ token: CancellationToken, _ runs: Tally) async throws {
    let before = runs.value
    try await token.hold {
      await Task.yield()
      MainActor.preconditionIsolated()
      try expectEqual(runs.value, before, "action runs of a token held on the main actor")
    }
  }
}
