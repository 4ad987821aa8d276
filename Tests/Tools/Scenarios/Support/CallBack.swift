import AsyncViewModelsGCD
import AsyncViewModelsSimulation

/// Runs async work of a service for a completion handler. The seed decides whether the work notices a cancellation.
func callBack<Value: Sendable>(
  in world: SimulatedWorld, _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void,
  _ work: @escaping @Sendable () async throws -> Value
) -> CancellationToken {
  guard world.flip() else { return .run(completion: completion, work) }
  runToCompletion({ CancellationToken.run(completion: $0, work) }, completion: completion)
  return .finished
}
