import Synchronization

/// Lets a task wait for a state that arrives in an observer's callback, as in the closure stage.
final class StateWatch<State: Sendable>: Sendable {
  @safe
  private struct Watching {
    var newest: State?
    var isAwaited: (@Sendable (State) -> Bool)?
    var continuation: UnsafeContinuation<State, Never>?
  }

  private let watching = Mutex(Watching())

  /// Receives a state. The observer that is bound to the view model calls this method.
  func observe(_ state: State) {
    let continuation = unsafe watching.withLock { watching -> UnsafeContinuation<State, Never>? in
      watching.newest = state
      guard watching.isAwaited?(state) == true else { return nil }
      watching.isAwaited = nil
      return unsafe watching.continuation.take()
    }
    unsafe continuation?.resume(returning: state)
  }

  /// Returns the newest state once it satisfies `condition`. Only one task at a time may wait.
  func first(where condition: @escaping @Sendable (State) -> Bool) async -> State {
    await unsafe withUnsafeContinuation { continuation in
      let found = watching.withLock { watching -> State? in
        if let newest = watching.newest, condition(newest) { return newest }
        watching.isAwaited = condition
        unsafe watching.continuation = continuation
        return nil
      }
      if let found { unsafe continuation.resume(returning: found) }
    }
  }
}

extension AsyncStream.Iterator {
  /// Returns the first state that satisfies `condition`.
  ///
  /// - Throws: ``StatesEnded`` if the stream ends before such a state.
  mutating func first(where condition: (Element) -> Bool) async throws -> Element {
    while let state = await next(isolation: #isolation) {
      if condition(state) { return state }
    }
    throw StatesEnded()
  }
}

/// A stream of states ended before the awaited state.
struct StatesEnded: Error {}
