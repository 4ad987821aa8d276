import Synchronization

/// Starts a call that nobody can call off: for what must not stop half-way, such as a save.
///
/// A call is cancelled when its token goes away. Here the call itself keeps the token until it has called its completion handler,
/// so that it outlives whoever started it.
///
/// ```swift
/// runToCompletion { service.save(draft, basedOn: 3, completion: $0) } completion: { result in … }
/// ```
///
/// - Promises: the token is not cancelled while the call may still answer. `completion` is called whenever the call's handler is, on the
///   same thread. If that happens after this function has returned, the token is marked as finished before. Otherwise it is marked
///   at the latest when this function returns.
/// - Hazards: a call that keeps its handler and never calls it is never released. A call that drops its handler uncalled is cancelled.
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

/// A token that lives as long as its call.
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
    // Finished first, and let go afterwards: a handler that is called twice at once finds a finished token both times.
    token?.finish()
    withExtendedLifetime(state.withLock { $0.token.take() }) {}
  }
}
