import Synchronization

/// The one result of an operation that races its deadline: what is settled first stays.
final class DeadlineRace<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case settled(Result<Value, any Error>)
  }

  private let state = Mutex(State.open)

  /// Settles the race, and says whether it was this call that did.
  @discardableResult
  func settle(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      switch state {
      case .settled: return (false, CheckedContinuation<Value, any Error>?.none)
      case .open:
        state = .settled(result)
        return (true, nil)
      case .awaited(let continuation):
        state = .settled(result)
        return (true, continuation)
      }
    }
    continuation?.resume(with: result)
    return isFirst
  }

  /// Settles the race with an error when the clock gets to `instant`, and then cancels the losing work. Ends without
  /// a trace when it is cancelled itself.
  func expire<C: Clock>(
    at instant: C.Instant, on clock: C, with error: DeadlineExceeded, cancelling work: Task<Void, Never>
  ) async where C.Duration == Duration {
    do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
    if settle(.failure(error)) { work.cancel() }
  }

  /// What the race was, or will be, settled with. One task may ask.
  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Value, any Error>? = state.withLock { state in
          if case .settled(let result) = state { return result }
          state = .awaited(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }
}
