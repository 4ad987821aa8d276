public import Foundation

// tvOS has no notifications of the keyboard.
#if !os(tvOS)
  extension UIKitStandIn {
    /// The frame in the coordinates of the display.
    private static var keyboardFrame = CGRect.zero

    /// Posts the notifications of a keyboard that appears. The second one follows in ``advance()`` if the
    /// duration is not zero.
    public static func showKeyboard(frame: CGRect, duration: TimeInterval = 0.25) {
      keyboardFrame = frame
      post(
        UIResponder.keyboardWillShowNotification, then: UIResponder.keyboardDidShowNotification, frame: frame,
        duration: duration)
    }

    /// Posts the notifications of a keyboard that moves below the bottom of the screen. The second one follows
    /// in ``advance()`` if the duration is not zero.
    public static func hideKeyboard(duration: TimeInterval = 0.25) {
      let bottom = CGPoint(x: keyboardFrame.origin.x, y: keyboardFrame.origin.y + keyboardFrame.size.height)
      keyboardFrame.origin = bottom
      post(
        UIResponder.keyboardWillHideNotification, then: UIResponder.keyboardDidHideNotification,
        frame: keyboardFrame, duration: duration)
    }

    private static func post(
      _ first: NSNotification.Name, then second: NSNotification.Name, frame: CGRect, duration: TimeInterval
    ) {
      let userInfo: [AnyHashable: Any] = [
        UIResponder.keyboardFrameEndUserInfoKey: frame,
        UIResponder.keyboardAnimationDurationUserInfoKey: duration,
        // The curve of the keyboard, which has no name.
        UIResponder.keyboardAnimationCurveUserInfoKey: 7,
      ]
      NotificationCenter.default.post(name: first, object: nil, userInfo: userInfo)
      let postSecond = { NotificationCenter.default.post(name: second, object: nil, userInfo: userInfo) }
      if duration > 0 { PendingWork.add(postSecond) } else { postSecond() }
    }
  }
#endif
