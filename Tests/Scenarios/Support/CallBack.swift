import AsyncViewModels
import AsyncViewModelsSimulation

/// Async work of a service in the form of a completion handler. As the seed decides, to call it off is heard at once, or not at all.
func callBack<Value: Sendable>(
  in world: SimulatedWorld, _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void,
  _ work: @escaping @Sendable () async throws -> Value
) -> CancellationToken {
  guard world.flip() else { return performAsync(completion: completion, work) }
  runToCompletion({ performAsync(completion: $0, work) }, completion: completion)
  return .ended
}
