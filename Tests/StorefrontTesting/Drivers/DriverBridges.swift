import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization

/// The tasks of the loading intents that a driver has started.
///
/// In the async stage, a task calls its intent. In the other stages, a task only waits for the completion
/// handler. A driver represents a screen: when the driver is deallocated, the tasks are cancelled.
package final class StartedIntents: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])

  package init() {}

  package func note(_ task: Task<Void, Never>) -> Task<Void, Never> {
    tasks.withLock { $0.append(task) }
    return task
  }

  /// Waits until every started intent is over.
  package func settle() async {
    for task in tasks.withLock({ $0 }) {
      // The wait also ends if the test is cancelled at its time limit while a call is unanswered.
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  deinit {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }
}

extension Actor {
  /// Starts an intent, and returns when the intent suspends for the first time or ends. On Apple systems
  /// before version 26, returns at once.
  func start(_ intent: @escaping @Sendable (isolated Self) async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return Task.immediate { await intent(self) }
    }
    return Task { await intent(self) }
  }
}

/// Starts a nonisolated intent, and returns when the intent suspends for the first time or ends. On Apple
/// systems before version 26, returns at once.
func startIntent<Value: Sendable>(
  _ intent: @escaping @Sendable () async throws -> Value
) -> Task<Value, any Error> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    return Task.immediate { try await intent() }
  }
  return Task { try await intent() }
}

/// Starts an intent, and returns a task that ends when the intent has called its completion handler.
///
/// The task does not retain the view model. If the task is cancelled, it ends at once, but the intent continues.
func completionTask(of start: (@escaping @Sendable () -> Void) -> Void) -> Task<Void, Never> {
  let gate = Gate()
  start { gate.open() }
  return Task { try? await gate.waitUnlessCancelled() }
}

/// Starts an intent, and returns a task that ends with the result that the completion handler receives.
///
/// The task does not retain the view model. If the task is cancelled, the intent continues.
func resultTask<Value: Sendable>(
  of start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) -> Task<Value, any Error> {
  let response = begin(start)
  return Task { try await value(of: response) }
}

/// Calls an intent with a completion handler, and waits for the intent's result.
func completion<Value: Sendable>(
  of start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> Value {
  try await value(of: begin(start))
}

private typealias Response<Value: Sendable> = Monitor<Result<Value, any Error>?>

private func begin<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) -> Response<Value> {
  let response = Response<Value>(nil)
  start { result in
    response.update {
      if let first = $0 { preconditionFailure("the intent has two results: \(first) and \(result)") }
      $0 = result
    }
  }
  return response
}

/// Waits for a response. The wait also ends with the test, for example if a completion handler is lost.
private func value<Value: Sendable>(of response: Response<Value>) async throws -> Value {
  await response.wait { $0 != nil }
  guard let result = response.snapshot else { throw CancellationError() }
  return try result.get()
}

/// Returns a stream of every value that a binding delivers. The binding is cancelled when the stream ends.
func boundStates<State: Sendable>(
  _ bind: (@escaping @Sendable (State) -> Void) -> CancellationToken
) -> AsyncStream<State> {
  let (stream, continuation) = AsyncStream<State>.makeStream()
  let token = bind { continuation.yield($0) }
  continuation.onTermination = { _ in token.cancel() }
  return stream
}
