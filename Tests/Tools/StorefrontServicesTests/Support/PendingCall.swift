import AsyncViewModels
import Synchronization

/// Awaits a call with a completion handler, and cancels the call if the waiting task is cancelled.
///
/// This class is stricter than `withCompletionHandler`: if the handler is called twice, the process traps. If the
/// handler is never called after a cancellation, the caller hangs.
final class PendingCall: Sendable {
  private let state = Mutex<(token: CancellationToken?, isCancelled: Bool)>((nil, false))

  static func result<Value: Sendable>(
    of start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken
  ) async throws -> Value {
    let call = PendingCall()
    // The result can come before this task suspends. The thread sanitizer does not see that it comes before the return. But it sees
    // that both take this lock.
    defer { call.takeLock() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.keep(
          start { result in
            call.takeLock()
            continuation.resume(with: result)
          })
      }
    } onCancel: {
      call.cancel()
    }
  }

  private func takeLock() { state.withLock { _ in } }

  private func keep(_ token: CancellationToken) {
    let isCancelled = state.withLock {
      $0.token = token
      return $0.isCancelled
    }
    if isCancelled { token.cancel() }
  }

  private func cancel() {
    let token = state.withLock {
      $0.isCancelled = true
      return $0.token
    }
    token?.cancel()
  }
}
