import AsyncViewModels
import Synchronization

/// A legacy source that holds one lock while it calls its callbacks and while it removes a callback.
final class LockedService: Sendable {
  typealias Callback = @Sendable (Int) -> Void

  private struct State {
    var callbacks: [Int: Callback] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  let unregistrations = Tally()

  var count: Int { state.withLock { $0.callbacks.count } }

  func register(_ callback: @escaping Callback) -> CancellationToken {
    let number = state.withLock { state in
      state.next += 1
      state.callbacks[state.next] = callback
      return state.next
    }
    return CancellationToken {
      self.unregistrations.add()
      withExtendedLifetime(self.state.withLock { $0.callbacks.removeValue(forKey: number) }) {}
    }
  }

  /// Calls all callbacks once and releases them.
  func call(_ number: Int) {
    let callbacks = state.withLock { state in
      for callback in state.callbacks.values { callback(number) }
      defer { state.callbacks = [:] }
      return state.callbacks
    }
    withExtendedLifetime(callbacks) {}
  }

  /// Calls all callbacks and keeps them.
  func send(_ number: Int) {
    state.withLock { state in
      for callback in state.callbacks.values { callback(number) }
    }
  }
}
