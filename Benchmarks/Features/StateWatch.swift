import AsyncViewModels
import Synchronization

/// Lets a task wait for a state that comes through an observer's callback, as a user of the closure stage would who must
/// know when something has shown.
final class StateWatch<State: Sendable>: Sendable {
  @safe
  private struct Watching {
    var newest: State?
    var isAwaited: (@Sendable (State) -> Bool)?
    var continuation: UnsafeContinuation<State, Never>?
  }

  private let watching = Mutex(Watching())

  /// What is to be bound as the observer.
  func observe(_ state: State) {
    let continuation = unsafe watching.withLock { watching -> UnsafeContinuation<State, Never>? in
      watching.newest = state
      guard watching.isAwaited?(state) == true else { return nil }
      watching.isAwaited = nil
      return unsafe watching.continuation.take()
    }
    unsafe continuation?.resume(returning: state)
  }

  /// The newest state, once it satisfies `condition`. One task at a time.
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
  /// Reads on until a state satisfies `condition`, as a user of the stream would.
  /// - Throws: ``StatesEnded``.
  mutating func first(where condition: (Element) -> Bool) async throws -> Element {
    while let state = await next(isolation: #isolation) {
      if condition(state) { return state }
    }
    throw StatesEnded()
  }
}

/// A stream of states ended before the awaited one came.
struct StatesEnded: Error {}
