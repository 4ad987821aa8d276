import Foundation

/// Runs `body` on a new thread.
///
/// The task pool has one thread per core. So on one core, its tasks interleave only where they suspend.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
