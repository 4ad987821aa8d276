public import Foundation

@MainActor
open class UITextRange: NSObject {}

/// A field of text. ``UIKitStandIn/type(_:in:)`` edits it as a user does.
open class UITextField: UIControl {
  open var text: String? = ""
  open var markedTextRange: UITextRange?
}

extension UIKitStandIn {
  /// Replaces the text of a field, as the keyboard does, and sends `editingChanged`.
  ///
  /// - Parameter composing: Whether the text is still being composed, for example in Japanese.
  public static func type(_ text: String, in field: UITextField, composing: Bool = false) {
    field.text = text
    field.markedTextRange = composing ? UITextRange() : nil
    field.sendActions(for: .editingChanged)
  }
}
