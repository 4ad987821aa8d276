import AsyncViewModels
import Synchronization

/// The least that handing a value from one task to another takes: one slot, one continuation, one lock.
final class HandOff: Sendable {
  @safe
  private struct State {
    var value: Int?
    var continuation: UnsafeContinuation<Int, Never>?
  }

  private let state = Mutex(State())

  func put(_ value: Int) {
    let continuation = unsafe state.withLock { state -> UnsafeContinuation<Int, Never>? in
      let waiting = unsafe state.continuation.take()
      if unsafe waiting == nil { state.value = value }
      return unsafe waiting
    }
    unsafe continuation?.resume(returning: value)
  }

  /// The next value, or -1 where the wait is cancellable and has been cancelled. One task at a time.
  func take(cancellable: Bool) async -> Int {
    guard cancellable else { return await take() }
    return await withTaskCancellationHandler {
      await take()
    } onCancel: {
      put(-1)
    }
  }

  private func take() async -> Int {
    await unsafe withUnsafeContinuation { continuation in
      let value = state.withLock { state -> Int? in
        if let value = state.value.take() { return value }
        unsafe state.continuation = continuation
        return nil
      }
      if let value { unsafe continuation.resume(returning: value) }
    }
  }

  /// The least that an `AsyncStream` can cost: whatever is put under it comes on top.
  func stream() -> AsyncStream<Int> {
    AsyncStream { [self] in
      await take()
    } onCancel: { [self] in
      put(-1)
    }
  }
}
