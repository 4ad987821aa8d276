import Synchronization

/// Lets a task wait for a state that comes through an observer's callback, as a user of the closure stage would who
/// must know when something has shown.
final class StateWatch<State: Sendable>: Sendable {
  @safe
  private struct Watching {
    var newest: State?
    var awaited: (@Sendable (State) -> Bool)?
    var continuation: UnsafeContinuation<Void, Never>?
  }

  private let watching = Mutex(Watching())

  /// What is to be bound as the observer.
  func observe(_ state: State) {
    let continuation = unsafe watching.withLock { watching -> UnsafeContinuation<Void, Never>? in
      watching.newest = state
      guard watching.awaited?(state) == true else { return nil }
      watching.awaited = nil
      return unsafe watching.continuation.take()
    }
    unsafe continuation?.resume()
  }

  /// Returns when the newest state satisfies `condition`. One task at a time.
  func wait(until condition: @escaping @Sendable (State) -> Bool) async {
    await unsafe withUnsafeContinuation { continuation in
      let isThere = watching.withLock { watching in
        if watching.newest.map(condition) == true { return true }
        watching.awaited = condition
        unsafe watching.continuation = continuation
        return false
      }
      if isThere { unsafe continuation.resume() }
    }
  }
}

extension AsyncStream.Iterator {
  /// Reads on until a state satisfies `condition`, as a user of the stream would.
  mutating func wait(until condition: (Element) -> Bool) async {
    while let state = await next(isolation: #isolation), !condition(state) {}
  }
}
