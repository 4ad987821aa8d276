import AsyncViewModels
import Synchronization

/// The callers who wait for their changes. Each receives one result: a service's, or a closing
/// error.
///
/// The changes of one object are numbered by their state, or by ``add(_:)`` and ``run(_:)``.
final class ChangeCallers: Sendable {
  typealias ID = Int
  typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private struct State {
    var completions: [ID: Completion] = [:]
    /// The results of changes that have ended before their callers were added.
    var results: [ID: Result<Void, any Error>] = [:]
    var lastID = 0
    /// The error of all callers since the view model was closed.
    var closingError: (any Error)?
  }

  private let state = Mutex(State())

  /// Adds the caller of a new change.
  func add(_ completion: @escaping Completion) -> ID {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    add(completion, for: id)
    return id
  }

  /// Adds the caller of a change. It receives an earlier result at once, or else the error of
  /// ``close(throwing:)``.
  func add(_ completion: @escaping Completion, for change: ID) {
    let result = state.withLock { state -> Result<Void, any Error>? in
      if let result = state.results.removeValue(forKey: change) { return result }
      if let error = state.closingError { return .failure(error) }
      state.completions[change] = completion
      return nil
    }
    if let result { completion(result) }
  }

  /// Passes the result of a change to its caller. Call this method once for each change.
  func complete(_ change: ID, _ result: Result<Void, any Error>) {
    let completion = state.withLock { state in
      let completion = state.completions.removeValue(forKey: change)
      if completion == nil, state.closingError == nil { state.results[change] = result }
      return completion
    }
    completion?(result)
  }

  /// Passes an error to all callers, in their order, and to all later ones.
  func close(throwing error: any Error) {
    let completions = state.withLock { state in
      if state.closingError == nil { state.closingError = error }
      return exchange(&state.completions, with: [:])
    }
    for (_, completion) in completions.sorted(by: { $0.key < $1.key }) { completion(.failure(error)) }
  }

  /// Waits for the result of a change or for ``close(throwing:)``, even if cancelled.
  func wait(for change: ID) async throws {
    try await withCheckedThrowingContinuation { caller in add({ caller.resume(with: $0) }, for: change) }
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
