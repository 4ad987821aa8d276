public import Foundation

// tvOS has no notifications of the keyboard.
#if !os(tvOS)
  /// The notifications of the keyboard, and the keys of their user information. On Linux, the frame is stored
  /// as a `CGRect`, because `NSValue` cannot contain one there.
  extension UIResponder {
    public nonisolated static let keyboardWillShowNotification =
      NSNotification.Name("UIKeyboardWillShowNotification")
    public nonisolated static let keyboardDidShowNotification =
      NSNotification.Name("UIKeyboardDidShowNotification")
    public nonisolated static let keyboardWillHideNotification =
      NSNotification.Name("UIKeyboardWillHideNotification")
    public nonisolated static let keyboardDidHideNotification =
      NSNotification.Name("UIKeyboardDidHideNotification")

    public nonisolated static let keyboardFrameEndUserInfoKey = "UIKeyboardFrameEndUserInfoKey"
    public nonisolated static let keyboardAnimationDurationUserInfoKey =
      "UIKeyboardAnimationDurationUserInfoKey"
    public nonisolated static let keyboardAnimationCurveUserInfoKey = "UIKeyboardAnimationCurveUserInfoKey"
  }
#endif
