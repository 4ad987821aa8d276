import AsyncViewModels
import Dispatch
import Synchronization

/// What a callback was called with, in order, readable from any thread.
final class DeliveryLog<Value: Sendable>: Sendable {
  private let entries = Mutex<[Value]>([])

  var values: [Value] { entries.withLock { $0 } }

  func append(_ value: Value) {
    entries.withLock { $0.append(value) }
  }
}

extension DispatchQueue {
  /// Returns once everything submitted to this serial queue before has run.
  func drain() async {
    await withCheckedContinuation { continuation in
      async { continuation.resume() }
    }
  }

  /// Runs `work` on this queue and returns when it has run.
  func run(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      async {
        work()
        continuation.resume()
      }
    }
  }
}
