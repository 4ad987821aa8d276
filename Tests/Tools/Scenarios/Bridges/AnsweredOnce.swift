import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain

extension Scenario {
  static let answeredOnce = Scenario(
    "bridges/answered-once",
    """
    async work for a caller with a completion handler calls the handler exactly once, whether the work \
    succeeds or fails, even if the token is cancelled afterwards
    """, tasks: 2
  ) { world in
    let answers = EventLog<Int>()
    let token = CancellationToken.run(completion: { (result: Result<Int, any Error>) in
      answers.append((try? result.get()) ?? 0)
    }) {
      try await world.faults.latency()
      try world.faults.failure(ServiceError.timedOut)
      return 1
    }
    await world.settle()
    token.cancel()
    await world.settle()
    world.expectEqual(answers.values.count, 1, "answers:")
  }
}
