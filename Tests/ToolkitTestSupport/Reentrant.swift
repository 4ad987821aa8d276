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

  package func set(_ value: Value) { replace(with: value) }

  package func clear() { replace(with: nil) }

  private func replace(with value: Value?) {
    // The old value is released after the unlock, because its `deinit` may call this holder.
    withExtendedLifetime(content.withLock { exchange(&$0, with: value) }) {}
  }
}
