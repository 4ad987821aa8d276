import Synchronization

/// A thread-safe log of the values that a callback received, in order.
package final class DeliveryLog<Value: Sendable>: Sendable {
  private let entries = Mutex<[Value]>([])

  package init() {}

  package var values: [Value] { entries.withLock { $0 } }

  package func append(_ value: Value) {
    entries.withLock { $0.append(value) }
  }

  /// Removes and returns all values.
  package func take() -> [Value] { entries.withLock { exchange(&$0, with: []) } }
}
