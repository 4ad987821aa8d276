public import Foundation

/// An object that can receive events.
@MainActor
open class UIResponder: NSObject {
  private static weak var firstResponder: UIResponder?

  public override init() { super.init() }

  /// Whether this object may become the first responder. By default, it may not.
  open var canBecomeFirstResponder: Bool { false }

  /// Whether this object may give up being the first responder.
  open var canResignFirstResponder: Bool { true }

  /// Whether this object is the first responder.
  open var isFirstResponder: Bool { UIResponder.firstResponder === self }

  /// Makes this object the first responder. Returns whether that was possible.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    if isFirstResponder { return true }
    guard canBecomeFirstResponder else { return false }
    if let current = UIResponder.firstResponder, !current.resignFirstResponder() { return false }
    UIResponder.firstResponder = self
    return true
  }

  /// Stops being the first responder. Returns whether that was possible.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard canResignFirstResponder else { return false }
    if isFirstResponder { UIResponder.firstResponder = nil }
    return true
  }
}
