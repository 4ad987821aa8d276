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

  extension UITraitCollection {
    /// The traits that ``ScreenTraits`` contains.
    static var observedTraits: [UITrait] {
      [UITraitHorizontalSizeClass.self, UITraitVerticalSizeClass.self, UITraitUserInterfaceStyle.self]
    }
  }

  extension UIViewController {
    /// Returns a stream of the current traits and their changes. A slow reader skips to the latest
    /// traits. The stream ends when the controller is deallocated.
    public func traitChanges() -> AsyncStream<ScreenTraits> {
      AsyncStream(buffering: .latest) { send in
        send(ScreenTraits(traitCollection))
        let registration = registerForTraitChanges(UITraitCollection.observedTraits) {
          (controller: Self, _) in send(ScreenTraits(controller.traitCollection))
        }
        let observation = TraitObservation(registration, of: self)
        return CancellationToken { Task { @MainActor in observation.end() } }
      }
    }
  }

  @MainActor
  private final class TraitObservation {
    private let registration: any UITraitChangeRegistration
    private weak var controller: UIViewController?

    init(_ registration: any UITraitChangeRegistration, of controller: UIViewController) {
      self.registration = registration
      self.controller = controller
    }

    func end() { controller?.unregisterForTraitChanges(registration) }
  }

  extension NotificationSource {
    /// Returns a stream with an element for each later memory warning of the app.
    ///
    /// A view model or a cache observes the stream and drops what it can load again:
    ///
    /// ```swift
    /// warnings = NotificationCenter.default.memoryWarnings().observe(on: self) { cache, _ in
    ///   cache.removeAll()
    /// }
    /// ```
    public func memoryWarnings() -> AsyncStream<Void> {
      stream(of: UIApplication.didReceiveMemoryWarningNotification, buffering: .latest) { _ in () }
    }
  }
#endif
