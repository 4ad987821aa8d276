// tvOS has no notifications of the keyboard.
#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import UIKit

  extension UIViewController {
    /// Returns a stream of all later keyboard changes.
    ///
    /// A change arrives in a later turn of the main actor, and only if the view of this controller
    /// is in a window then. ``KeyboardChange/height`` is that of the part of the view that the
    /// keyboard covers then, and ``KeyboardChange/frame`` is in the coordinates of the view. So a
    /// view that appears in the same turn as its keyboard receives the change. The stream ends at
    /// the first change after the controller is deallocated.
    ///
    /// To move views, use the `keyboardLayoutGuide` of the view, which also knows undocked
    /// keyboards.
    public func keyboardChanges() -> AsyncStream<KeyboardChange> {
      let announcements = KeyboardAnnouncement.latest.states(.unbounded).dropFirst()
      return AsyncStream(buffering: .unbounded) { send in
        announcements.observe(on: self) { controller, keyboard in
          guard let keyboard, let view = controller.viewIfLoaded else { return }
          if let change = KeyboardChange(keyboard, over: view) { send(change) }
        }
      }
    }
  }

  /// A notification of the keyboard, whose frame is in the coordinates of the display.
  struct KeyboardAnnouncement: Sendable {
    /// The last notification since the first use of this property.
    static let latest: StateStore<KeyboardAnnouncement?> = {
      let latest = StateStore<KeyboardAnnouncement?>(nil)
      let moments: [(Notification.Name, KeyboardChange.Moment)] = [
        (UIResponder.keyboardWillShowNotification, .willShow),
        (UIResponder.keyboardDidShowNotification, .didShow),
        (UIResponder.keyboardWillHideNotification, .willHide),
        (UIResponder.keyboardDidHideNotification, .didHide),
      ]
      for (name, moment) in moments {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
          let info = $0.userInfo ?? [:]
          latest.update { $0 = KeyboardAnnouncement(after: $0, moment, info) }
        }
      }
      return latest
    }()

    /// The place in the order of all notifications.
    let number: Int
    let moment: KeyboardChange.Moment
    let frame: CGRect
    let duration: Duration
    let curve: Int

    init(after last: KeyboardAnnouncement?, _ moment: KeyboardChange.Moment, _ info: [AnyHashable: Any]) {
      number = (last?.number ?? 0) + 1
      self.moment = moment
      frame = info[UIResponder.keyboardFrameEndUserInfoKey] as? CGRect ?? .zero
      duration = .seconds(info[UIResponder.keyboardAnimationDurationUserInfoKey] as? TimeInterval ?? 0)
      curve = info[UIResponder.keyboardAnimationCurveUserInfoKey] as? Int ?? 0
    }
  }

  extension KeyboardChange {
    /// Creates a change from what the keyboard covers of a view, or returns `nil` if the view is in
    /// no window.
    @MainActor
    init?(_ keyboard: KeyboardAnnouncement, over view: UIView) {
      guard let window = view.window else { return nil }
      #if os(visionOS)
        let frame = view.convert(keyboard.frame, from: window)
      #else
        let frame = view.convert(keyboard.frame, from: window.screen.coordinateSpace)
      #endif
      // The bounds of a scroll view begin at its content offset.
      let bounds = view.bounds
      self.init(
        keyboard.moment,
        frame: Frame(
          x: Double(frame.origin.x - bounds.origin.x), y: Double(frame.origin.y - bounds.origin.y),
          width: Double(frame.width), height: Double(frame.height)),
        in: ViewportSize(bounds.size), duration: keyboard.duration, curve: keyboard.curve)
    }
  }
#endif
