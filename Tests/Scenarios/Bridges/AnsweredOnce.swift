import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain

extension Scenario {
  static let answeredOnce = Scenario(
    "bridges/answered-once",
    """
    async work for a caller with a completion handler calls the handler exactly once, whatever the work \
    and the token do
    """, tasks: 2
  ) { world in
    let answers = EventLog<Int>()
    let token = performAsync(completion: { (result: Result<Int, any Error>) in
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
