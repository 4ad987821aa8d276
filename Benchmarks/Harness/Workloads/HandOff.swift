package import Synchronization

/// Passes values from one task to another at the minimum cost: one slot, one continuation, one lock.
package final class HandOff: Sendable {
  @safe @usableFromInline
  package struct State {
    @usableFromInline package var value: Int?
    @usableFromInline package var continuation: UnsafeContinuation<Int, Never>?

    init() {}
  }

  @usableFromInline package let state = Mutex(State())

  package init() {}

  @inlinable
  package func put(_ value: Int) {
    let continuation = unsafe state.withLock { state -> UnsafeContinuation<Int, Never>? in
      let waiting = unsafe state.continuation.take()
      if unsafe waiting == nil { state.value = value }
      return unsafe waiting
    }
    unsafe continuation?.resume(returning: value)
  }

  /// Returns the next value, or -1 if `cancellable` is `true` and the task is cancelled. Only one task at a
  /// time may wait.
  @inlinable
  package func take(cancellable: Bool) async -> Int {
    guard cancellable else { return await take() }
    return await withTaskCancellationHandler {
      await take()
    } onCancel: {
      put(-1)
    }
  }

  @inlinable
  package func take() async -> Int {
    await unsafe withUnsafeContinuation { continuation in
      let value = state.withLock { state -> Int? in
        if let value = state.value.take() { return value }
        unsafe state.continuation = continuation
        return nil
      }
      if let value { unsafe continuation.resume(returning: value) }
    }
  }

  /// The values as the cheapest possible `AsyncStream`: every other source of a stream costs more.
  package func stream() -> AsyncStream<Int> {
    AsyncStream { [self] in
      await take()
    } onCancel: { [self] in
      put(-1)
    }
  }
}
