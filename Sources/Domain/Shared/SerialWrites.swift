import AsyncViewModels
import Synchronization

/// Runs async writes one after another, in the order of the calls, and each to its end. Without it,
/// the tasks of two calls could start in any order.
final class SerialWrites: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Starts a write after the earlier ones have ended. Cancelling or releasing the token ends only
  /// the wait.
  func perform(
    _ write: @escaping @Sendable () async throws -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    let task = last.withLock { last in
      let task = Task { [last] in
        await last?.value
        try await write()
      }
      last = Task { _ = await task.result }
      return task
    }
    return .run(completion: completion) { try await task.result.get() }
  }
}
