import AsyncViewModels

/// Awaits an intent that reports to a completion handler.
func completion<Value: Sendable>(
  of start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in start { continuation.resume(with: $0) } }
}

/// Starts an intent at once, and gives a task that ends when the intent has called its completion handler. It holds nothing else, and
/// to cancel it stops nothing.
func completionTask<Value: Sendable>(
  of start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) -> Task<Value, any Error> {
  let (results, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
  start {
    continuation.yield($0)
    continuation.finish()
  }
  let answer = Task {
    for await result in results { return try result.get() }
    throw CancellationError()
  }
  return Task { try await answer.value }
}

/// Everything that a binding delivers, as a stream that unbinds when it ends.
func boundStates<State: Sendable>(
  _ bind: (@escaping @Sendable (State) -> Void) -> CancellationToken
) -> AsyncStream<State> {
  let (stream, continuation) = AsyncStream<State>.makeStream()
  let token = bind { continuation.yield($0) }
  continuation.onTermination = { _ in token.cancel() }
  return stream
}
