import AsyncViewModels
import Synchronization

/// A value whose `deinit` runs code, which may call back into the object that released the value.
package final class Reentrant: Sendable {
  package let number: Int
  private let onRelease: @Sendable () -> Void

  package init(_ number: Int, onRelease: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.onRelease = onRelease
  }

  deinit { onRelease() }
}

/// Keeps a value until a test releases it.
package final class Holder<Value: Sendable>: Sendable {
  private let content: Mutex<Value?>

  package init(_ value: Value? = nil) { content = Mutex(value) }

  package var value: Value? { content.withLock { $0 } }

  package func set(_ value: Value) { content.exchange(value) }

  package func clear() { content.take() }
}
