#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Reports each tab that the user selects, and passes all calls on to the delegate whose place it
  /// has taken. See ``ForwardedNavigationCalls``.
  @MainActor
  struct ForwardedTabCalls {
    fileprivate private(set) weak var next: (any UITabBarControllerDelegate)?
    private let tabChanged: @MainActor (UITabBarController) -> Void

    /// - Parameter next: The delegate that a tab bar controller has.
    init(
      to next: (any UITabBarControllerDelegate)?,
      _ tabChanged: @escaping @MainActor (UITabBarController) -> Void
    ) {
      self.next = next
      self.tabChanged = tabChanged
    }

    /// Creates a delegate, which the tab bar controller does not keep.
    func makeDelegate() -> any UITabBarControllerDelegate {
      let animation = next?.tabBarController(_:animationControllerForTransitionFrom:to:)
      return animation == nil ? ReportingTabDelegate(self) : AnimatingTabDelegate(self)
    }

    fileprivate func shouldSelect(_ child: UIViewController, in controller: UITabBarController) -> Bool {
      let shouldSelect = next?.tabBarController(_:shouldSelect:)
      return shouldSelect?(controller, child) ?? true
    }

    fileprivate func didSelect(_ child: UIViewController, in controller: UITabBarController) {
      tabChanged(controller)
      let didSelect = next?.tabBarController(_:didSelect:)
      didSelect?(controller, child)
    }
  }

  private final class ReportingTabDelegate: NSObject, UITabBarControllerDelegate {
    private let calls: ForwardedTabCalls

    init(_ calls: ForwardedTabCalls) {
      self.calls = calls
      super.init()
    }

    func tabBarController(
      _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool {
      calls.shouldSelect(viewController, in: tabBarController)
    }

    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
    {
      calls.didSelect(viewController, in: tabBarController)
    }
  }

  /// Also passes on the calls for animations.
  private final class AnimatingTabDelegate: NSObject, UITabBarControllerDelegate {
    private let calls: ForwardedTabCalls

    init(_ calls: ForwardedTabCalls) {
      self.calls = calls
      super.init()
    }

    func tabBarController(
      _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool {
      calls.shouldSelect(viewController, in: tabBarController)
    }

    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
    {
      calls.didSelect(viewController, in: tabBarController)
    }

    func tabBarController(
      _ tabBarController: UITabBarController,
      animationControllerForTransitionFrom fromVC: UIViewController, to toVC: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? {
      let animation = calls.next?.tabBarController(_:animationControllerForTransitionFrom:to:)
      return animation?(tabBarController, fromVC, toVC)
    }

    func tabBarController(
      _ tabBarController: UITabBarController,
      interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? {
      let interaction = calls.next?.tabBarController(_:interactionControllerFor:)
      return interaction?(tabBarController, animationController)
    }
  }
#endif
