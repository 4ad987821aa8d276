import AsyncViewModels
import Synchronization

/// The callers who wait for their changes. Each receives one result: a service's, or a closing
/// error.
final class ChangeCallers: Sendable {
  typealias ID = Int
  typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private struct State {
    var completions: [ID: Completion] = [:]
    var lastID = 0
    /// The error of all callers since the view model was closed.
    var closingError: (any Error)?
  }

  private let state = Mutex(State())

  /// Adds a caller. After ``close(throwing:)``, it receives the error at once.
  func add(_ completion: @escaping Completion) -> ID {
    let (id, error) = state.withLock { state in
      state.lastID += 1
      if state.closingError == nil { state.completions[state.lastID] = completion }
      return (state.lastID, state.closingError)
    }
    if let error { completion(.failure(error)) }
    return id
  }

  /// Passes a result to a caller, unless it already has one.
  func complete(_ id: ID, _ result: Result<Void, any Error>) {
    state.withLock { $0.completions.removeValue(forKey: id) }?(result)
  }

  /// Passes an error to all callers, in their order, and to all later ones.
  func close(throwing error: any Error) {
    let completions = state.withLock { state in
      if state.closingError == nil { state.closingError = error }
      return exchange(&state.completions, with: [:])
    }
    for (_, completion) in completions.sorted(by: { $0.key < $1.key }) { completion(.failure(error)) }
  }

  /// Runs `work` in a new task. Waits for its end or for ``close(throwing:)``, even if cancelled.
  func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try await withCheckedThrowingContinuation { caller in
      let id = add { caller.resume(with: $0) }
      let liveObject = LiveObjectToken(.task, "ChangeCallers")
      Task {
        let result = await Result { try await work() }
        liveObject.end()
        complete(id, result)
      }
    }
  }
}
