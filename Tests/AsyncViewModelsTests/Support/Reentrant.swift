import AsyncViewModels
import Synchronization

/// A value whose `deinit` runs code, which may call back into the object that released the value.
final class Reentrant: Sendable {
  let number: Int
  private let onRelease: @Sendable () -> Void

  init(_ number: Int, onRelease: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.onRelease = onRelease
  }

  deinit { onRelease() }
}

/// Keeps a value until a test releases it.
final class Holder<Value: Sendable>: Sendable {
  private let content: Mutex<Value?>

  init(_ value: Value? = nil) { content = Mutex(value) }

  var value: Value? { content.withLock { $0 } }

  func set(_ value: Value) { content.exchange(value) }

  func clear() { content.take() }
}
