internal import AsyncViewModelsRuntimeHooks
import Synchronization

/// A lock of the simulator, which code in a world also uses. The world interrupts no code at this
/// lock.
struct UninterruptedMutex<Value>: ~Copyable {
  private let value: Mutex<Value>

  init(_ value: sending Value) { self.value = Mutex(value) }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    interruptions_pause()
    defer { interruptions_continue() }
    return try value.withLock(body)
  }
}
