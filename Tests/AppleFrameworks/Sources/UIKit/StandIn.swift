public import Foundation

/// The controls of the stand-in. Only test code uses them.
@MainActor
public enum UIKitStandIn {
  /// The frame of a view that a controller creates.
  static var screen: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }

  /// Whether transitions without animation also end in ``advance()``, and with them the appearance of a view
  /// that was added to a window. False by default.
  ///
  /// UIKit ends these in the next pass of the run loop. Set this property to test with the same times as
  /// UIKit.
  public static var endsAllTransitionsInAdvance = false

  /// Whether the coordinators of transitions queue neither an animation nor a completion, and say so. False by default.
  ///
  /// As Apple documents it, a coordinator returns false in this case.
  public static var refusesAlongsideAnimations = false

  /// How many animations and transitions are in progress. An interactive pop does not count.
  public static var pendingAnimations: Int { PendingWork.count }

  /// Lays out all visible windows, ends all animations and transitions that are in progress, and runs their
  /// completions. Goes on with those that the completions start, until none is left.
  ///
  /// An interactive pop stays in progress.
  public static func advance() {
    VisibleWindows.layOut()
    var steps = 0
    while let item = PendingWork.first {
      item.run()
      VisibleWindows.layOut()
      steps += 1
      precondition(steps < 10_000, "The animations start each other without end.")
    }
  }

  /// Posts the notification of low memory, and calls `didReceiveMemoryWarning` of all controllers of the
  /// window whose views are loaded, each parent before its children.
  public static func sendMemoryWarning(to window: UIWindow) {
    NotificationCenter.default.post(
      name: UIApplication.didReceiveMemoryWarningNotification, object: nil, userInfo: nil)
    for controller in window.controllers where controller.isViewLoaded {
      controller.didReceiveMemoryWarning()
    }
  }

  /// Changes the size of a window: calls `viewWillTransition` of the root and the presented controllers, sets
  /// the size, runs the animations of the coordinator, and lays out the window. The completions run in
  /// ``advance()``, or at once if the change is not animated.
  public static func resize(_ window: UIWindow, to size: CGSize, animated: Bool) {
    guard window.bounds.size != size else { return }
    let coordinator = TransitionCoordinator(isAnimated: animated, from: nil, to: nil)
    let root = window.rootViewController
    let controllers = root.map { [$0] + $0.presentedStack } ?? []
    for controller in controllers where controller.isViewLoaded && !window.isHidden {
      controller.viewWillTransition(to: size, with: coordinator)
    }
    window.frame = CGRect(origin: window.frame.origin, size: size)
    coordinator.beginAnimations()
    window.layoutIfNeeded()
    PendingWork.end(animated: animated) { coordinator.runCompletions() }
  }

  /// Sets the traits of a window and of its controllers whose views are in it, each parent before its
  /// children.
  public static func setTraits(_ traits: UITraitCollection, of window: UIWindow) {
    window.traits = traits
    for controller in window.controllers where controller.viewIfLoaded?.window === window {
      controller.update(to: traits)
    }
  }
}

extension UIWindow {
  /// All controllers of this window, each parent before its children.
  fileprivate var controllers: [UIViewController] { rootViewController?.tree ?? [] }
}
