import Synchronization

/// Lets one task wait until a number of others have arrived, again and again.
final class Latch: Sendable {
  @safe
  private struct State {
    var missing = 0
    var waiting: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Sets how many arrivals ``wait()`` waits for. Before the first of them can come.
  func expect(_ arrivals: Int) {
    state.withLock { $0.missing = arrivals }
  }

  func arrive() {
    let continuation = unsafe state.withLock { state -> UnsafeContinuation<Void, Never>? in
      state.missing -= 1
      return unsafe state.missing == 0 ? state.waiting.take() : nil
    }
    unsafe continuation?.resume()
  }

  /// Returns when all have arrived. One task at a time.
  func wait() async {
    await unsafe withUnsafeContinuation { continuation in
      let isComplete = state.withLock { state in
        if state.missing <= 0 { return true }
        unsafe state.waiting = continuation
        return false
      }
      if isComplete { unsafe continuation.resume() }
    }
  }
}
