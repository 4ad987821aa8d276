import AsyncViewModels
@unsafe @preconcurrency import OpenCombine
import StorefrontTesting

/// Subscribes to a publisher, and returns a stream of its values. The subscription ends with the stream.
func stream<Value: Sendable>(of publisher: some Publisher<Value, Never>) -> AsyncStream<Value> {
  let (stream, continuation) = AsyncStream<Value>.makeStream()
  let subscription = publisher.sink { _ in
    continuation.finish()
  } receiveValue: {
    continuation.yield($0)
  }
  continuation.onTermination = { _ in subscription.cancel() }
  return stream
}

/// Subscribes to a publisher, and returns a task that ends when the publisher finishes.
func completionTask(of publisher: some Publisher<Never, Never>) -> Task<Void, Never> {
  let ends = stream(of: publisher)
  return Task { for await _ in ends {} }
}

/// Returns a task that ends with the result of a future. If the task is cancelled, the intent continues.
func resultTask(of future: Future<Void, any Error>) -> Task<Void, any Error> {
  let result = future.map { Result<Void, any Error>.success(()) }.catch { Just(.failure($0)) }
  let results = stream(of: result)
  return Task {
    // In a task that the caller does not cancel.
    let result = await Task { await results.first { _ in true } }.value
    guard let result else { throw CancellationError() }
    try result.get()
  }
}
