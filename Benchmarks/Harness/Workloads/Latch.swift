public import Synchronization

/// Lets one task wait for a number of arrivals, again and again.
public final class Latch: Sendable {
  @safe @usableFromInline
  struct State {
    @usableFromInline var missing = 0
    @usableFromInline var waiting: UnsafeContinuation<Void, Never>?

    init() {}
  }

  @usableFromInline let state = Mutex(State())

  /// Creates a latch that expects no arrivals.
  public init() {}

  /// Sets the number of arrivals that ``wait()`` waits for. Call this method before the first arrival can
  /// come.
  @inlinable
  public func expect(_ arrivals: Int) {
    state.withLock { $0.missing = arrivals }
  }

  /// Counts one arrival.
  @inlinable
  public func arrive() {
    let continuation = unsafe state.withLock { state -> UnsafeContinuation<Void, Never>? in
      state.missing -= 1
      return unsafe state.missing == 0 ? state.waiting.take() : nil
    }
    unsafe continuation?.resume()
  }

  /// Returns when all arrivals have come. Only one task at a time may wait.
  @inlinable
  public func wait() async {
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
