public import Dispatch
import Synchronization

/// Starts a call that takes a completion handler, and does not cancel the call if the caller is
/// deallocated.
///
/// Use this function for work that must not stop halfway, such as a save. It keeps the token, whose
/// release would cancel the call, until the handler is called.
///
/// ```swift
/// runToCompletion { service.save(draft, basedOn: 3, completion: $0) } completion: { result in … }
/// ```
///
/// | the service | effect |
/// | --- | --- |
/// | calls the handler | `completion` receives the first result, on the thread of the service. The token is marked as finished. Later calls do nothing. |
/// | releases the handler without a call | The call is cancelled. |
/// | keeps the handler and never calls it | The token is never released. |
///
/// - Ownership: After the first result, the handler keeps neither the token nor `completion` alive.
public func runToCompletion<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken,
  completion: @escaping @Sendable (Result<Value, any Error>) -> Void
) {
  let call = RunningCall(completion)
  call.keep(start { call.end($0) }, asTimer: false)
}

/// Starts a call that takes a completion handler, and abandons the call if it takes longer than
/// `deadline`.
///
/// Until the deadline, this function behaves as ``runToCompletion(_:completion:)``, and also keeps
/// the token of a call whose handler the service has released. At the deadline, `completion`
/// receives ``DeadlineExceeded``, and then the call's token is cancelled on a global queue. A later
/// result is dropped.
///
/// - Parameters:
///   - deadline: The time that the call has. If it is not positive, the call does not start, and
///     `completion` receives ``DeadlineExceeded``.
///   - scheduler: Measures the time.
///   - queue: The queue on which `completion` is called if the time runs out.
///   - start: Starts the call and returns its token.
///   - completion: Receives the first result, or ``DeadlineExceeded``.
/// - Ownership: After the deadline, the call keeps neither the token nor `completion` alive, even
///   if the service retains its handler indefinitely.
public func runToCompletion<Value: Sendable>(
  deadline: Duration, scheduler: any CallbackScheduler, on queue: DispatchQueue,
  _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken,
  completion: @escaping @Sendable (Result<Value, any Error>) -> Void
) {
  guard deadline > .zero else {
    return queue.async { completion(.failure(DeadlineExceeded(duration: deadline))) }
  }
  let call = RunningCall(completion)
  call.keep(
    scheduler.schedule(after: min(deadline, .longestDelay), on: queue) {
      call.end(.failure(DeadlineExceeded(duration: deadline)), isAbandoned: true)
    }, asTimer: true)
  call.keep(start { call.end($0) }, asTimer: false)
}

/// Keeps the tokens and the completion of a call until the call ends.
private final class RunningCall<Value: Sendable>: Sendable {
  private struct State {
    var token: CancellationToken?
    var timer: CancellationToken?
    var completion: (@Sendable (Result<Value, any Error>) -> Void)?
    var end: End?
  }

  private enum End {
    case ended, abandoned
  }

  private let state: Mutex<State>

  init(_ completion: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    state = Mutex(State(completion: completion))
  }

  /// Keeps the token of the call or of its timer. If the call has already ended, ends the token
  /// instead.
  func keep(_ token: CancellationToken, asTimer isTimer: Bool) {
    let end = state.withLock { state in
      if state.end == nil { if isTimer { state.timer = token } else { state.token = token } }
      return state.end
    }
    switch end {
    case nil: break
    case .ended: token.finish()
    case .abandoned: token.cancelOnGlobalQueue()
    }
  }

  /// Passes the first result to the completion, and releases the tokens. Does nothing if the call
  /// has already ended.
  ///
  /// - Parameter isAbandoned: Whether the time has run out. The token of the call is then
  ///   cancelled. Otherwise, it is finished.
  func end(_ result: Result<Value, any Error>, isAbandoned: Bool = false) {
    let (token, timer, completion) = state.withLock { state in
      if state.end == nil { state.end = isAbandoned ? .abandoned : .ended }
      return (state.token.take(), state.timer.take(), state.completion.take())
    }
    timer?.cancel()
    if !isAbandoned { token?.finish() }
    completion?(result)
    // Not only released: the service can keep the token, too. Its cancellation handler may wait for
    // the caller's queue.
    if isAbandoned { token?.cancelOnGlobalQueue() }
  }
}
