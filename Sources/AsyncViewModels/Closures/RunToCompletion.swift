import Synchronization

/// Starts a call that runs to its end even if its caller is deallocated.
///
/// Use it for work that must not stop halfway, such as a save. Usually a call is cancelled when its token is
/// released. Here the call itself keeps the token until it has called its completion handler.
///
/// ```swift
/// runToCompletion { service.save(draft, basedOn: 3, completion: $0) } completion: { result in … }
/// ```
///
/// `completion` is called each time the call's handler is called, on the same thread.
///
/// - Cancellation: The token is not cancelled while the call can still call its handler. If the handler is
///   called after this function has returned, the token is marked as finished before `completion` runs.
///   Otherwise it is marked by the time this function returns.
/// - Ownership: A call that retains its handler and never calls it is never released. A call that releases
///   its handler uncalled is cancelled.
public func runToCompletion<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken,
  completion: @escaping @Sendable (Result<Value, any Error>) -> Void
) {
  let keeper = TokenKeeper()
  keeper.keep(
    start { result in
      keeper.end()
      completion(result)
    })
}

/// Keeps the token of a call until the call ends.
private final class TokenKeeper: Sendable {
  private struct State {
    var token: CancellationToken?
    var hasEnded = false
  }

  private let state = Mutex(State())

  func keep(_ token: CancellationToken) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.token = token }
      return state.hasEnded
    }
    if hasEnded { token.finish() }
  }

  func end() {
    let token = state.withLock { state in
      state.hasEnded = true
      return state.token
    }
    // Finish before the release: if two threads call the handler at once, both must find a finished token.
    token?.finish()
    withExtendedLifetime(state.withLock { $0.token.take() }) {}
  }
}
