#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension ScreenTraits {
    /// Creates traits from those of UIKit. Unspecified traits have the default values of this type.
    @MainActor
    public init(_ traits: UITraitCollection) {
      self.init(
        horizontalSizeClass: traits.horizontalSizeClass == .regular ? .regular : .compact,
        verticalSizeClass: traits.verticalSizeClass == .compact ? .compact : .regular,
        style: traits.userInterfaceStyle == .dark ? .dark : .light)
    }
  }

  extension UIViewController {
    /// Returns a stream of the current traits and their changes, without consecutive duplicates.
    ///
    /// A slow reader skips to the latest traits. The stream ends when the controller is deallocated.
    public func traitChanges() -> AsyncStream<ScreenTraits> {
      let traits = ObservableState(ScreenTraits(traitCollection))
      // The registration keeps its handler, and with it the state, as long as the controller lives.
      registerForTraitChanges([
        UITraitHorizontalSizeClass.self, UITraitVerticalSizeClass.self, UITraitUserInterfaceStyle.self,
      ]) { (controller: Self, _) in
        traits.send(ScreenTraits(controller.traitCollection))
      }
      return traits.distinctStream()
    }
  }

  extension NotificationSource {
    /// Returns a stream of all later keyboard changes.
    ///
    /// ``KeyboardChange/height`` is the height of the keyboard's frame, or 0 after a keyboard that hides. To move views, use
    /// the `keyboardLayoutGuide` of the view, which also knows undocked keyboards.
    @MainActor
    public func keyboardChanges() -> AsyncStream<KeyboardChange> {
      let moments: [(Notification.Name, KeyboardChange.Moment)] = [
        (UIResponder.keyboardWillShowNotification, .willShow),
        (UIResponder.keyboardDidShowNotification, .didShow),
        (UIResponder.keyboardWillHideNotification, .willHide),
        (UIResponder.keyboardDidHideNotification, .didHide),
      ]
      let (frameKey, durationKey) = (
        UIResponder.keyboardFrameEndUserInfoKey, UIResponder.keyboardAnimationDurationUserInfoKey
      )
      return AsyncStream(buffering: .unbounded) { send in
        let tokens = moments.map { name, moment in
          register(for: name, from: nil) { notification in
            let isShown = moment == .willShow || moment == .didShow
            let frame = notification.userInfo?[frameKey] as? CGRect ?? .zero
            let duration = notification.userInfo?[durationKey] as? TimeInterval ?? 0
            send(
              KeyboardChange(moment, height: isShown ? Double(frame.height) : 0, duration: .seconds(duration))
            )
          }
        }
        return CancellationToken { for token in tokens { token.cancel() } }
      }
    }

    /// Returns a stream with an element for each later memory warning of the app.
    ///
    /// A view model or a cache observes the stream and drops what it can load again:
    ///
    /// ```swift
    /// warnings = NotificationCenter.default.memoryWarnings().observe(on: self) { cache, _ in cache.removeAll() }
    /// ```
    @MainActor
    public func memoryWarnings() -> AsyncStream<Void> {
      stream(of: UIApplication.didReceiveMemoryWarningNotification, buffering: .latest) { _ in () }
    }
  }
#endif
