public import Synchronization

/// What a stream without duplicates handed out last.
@usableFromInline
final class LastElement<Element: Equatable & Sendable>: Sendable {
  @usableFromInline let element = Mutex<Element?>(nil)

  @inlinable init() {}

  /// Remembers `new`. False if it equals what was remembered.
  @inlinable
  func changes(to new: Element) -> Bool {
    guard element.withLock({ $0 }) != new else { return false }
    // What is replaced is released after the unlock: its deinit can be any code.
    withExtendedLifetime(element.withLock { exchange(&$0, with: new) }) {}
    return true
  }
}
