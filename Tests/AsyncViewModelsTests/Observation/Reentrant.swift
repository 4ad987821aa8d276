import Synchronization

/// A value whose end runs code.
final class Reentrant: Sendable {
  let number: Int
  private let onRelease: @Sendable () -> Void

  init(_ number: Int, onRelease: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.onRelease = onRelease
  }

  deinit { onRelease() }
}

/// Holds something that a test wants to let go of at a certain moment.
final class Holder<Value: Sendable>: Sendable {
  private let content: Mutex<Value?>

  init(_ value: Value? = nil) { content = Mutex(value) }

  func put(_ value: Value) { replace(with: value) }

  func letGo() { replace(with: nil) }

  private func replace(with value: Value?) {
    // The old one is released after the unlock: its deinit may come back here.
    withExtendedLifetime(content.withLock { exchange(&$0, with: value) }) {}
  }
}
