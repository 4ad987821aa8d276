#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Reports each change of a navigation controller, and passes all calls on to the delegate whose
  /// place it has taken.
  ///
  /// In UIKit, the requirements of the protocol are optional. So each call goes through a reference
  /// to the method, which is `nil` if the other delegate does not have the method.
  @MainActor
  struct ForwardedNavigationCalls {
    fileprivate private(set) weak var next: (any UINavigationControllerDelegate)?
    private let stackChanged: @MainActor (UINavigationController) -> Void

    /// - Parameter next: The delegate that a navigation controller has.
    init(
      to next: (any UINavigationControllerDelegate)?,
      _ stackChanged: @escaping @MainActor (UINavigationController) -> Void
    ) {
      self.next = next
      self.stackChanged = stackChanged
    }

    /// Creates a delegate, which the navigation controller does not keep. It has the same methods
    /// as the other one, because UIKit asks for the methods once.
    func makeDelegate() -> any UINavigationControllerDelegate {
      let animation = next?.navigationController(_:animationControllerFor:from:to:)
      return animation == nil ? ReportingNavigationDelegate(self) : AnimatingNavigationDelegate(self)
    }

    /// A cancelled swipe ends without `didShow`, so the end of the transition counts.
    fileprivate func willShow(
      _ shown: UIViewController, in controller: UINavigationController, animated: Bool
    ) {
      stackChanged(controller)
      let willShow = next?.navigationController(_:willShow:animated:)
      willShow?(controller, shown, animated)
    }

    fileprivate func didShow(_ shown: UIViewController, in controller: UINavigationController, animated: Bool)
    {
      stackChanged(controller)
      let didShow = next?.navigationController(_:didShow:animated:)
      didShow?(controller, shown, animated)
    }
  }

  private final class ReportingNavigationDelegate: NSObject, UINavigationControllerDelegate {
    private let calls: ForwardedNavigationCalls

    init(_ calls: ForwardedNavigationCalls) {
      self.calls = calls
      super.init()
    }

    func navigationController(
      _ navigationController: UINavigationController, willShow viewController: UIViewController,
      animated: Bool
    ) {
      calls.willShow(viewController, in: navigationController, animated: animated)
    }

    func navigationController(
      _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
      calls.didShow(viewController, in: navigationController, animated: animated)
    }
  }

  /// Also passes on the calls for animations. A separate class, because these methods can disable
  /// the swipe of UIKit.
  private final class AnimatingNavigationDelegate: NSObject, UINavigationControllerDelegate {
    private let calls: ForwardedNavigationCalls

    init(_ calls: ForwardedNavigationCalls) {
      self.calls = calls
      super.init()
    }

    func navigationController(
      _ navigationController: UINavigationController, willShow viewController: UIViewController,
      animated: Bool
    ) {
      calls.willShow(viewController, in: navigationController, animated: animated)
    }

    func navigationController(
      _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
      calls.didShow(viewController, in: navigationController, animated: animated)
    }

    func navigationController(
      _ navigationController: UINavigationController,
      animationControllerFor operation: UINavigationController.Operation,
      from fromVC: UIViewController, to toVC: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? {
      let animation = calls.next?.navigationController(_:animationControllerFor:from:to:)
      return animation?(navigationController, operation, fromVC, toVC)
    }

    func navigationController(
      _ navigationController: UINavigationController,
      interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? {
      let interaction = calls.next?.navigationController(_:interactionControllerFor:)
      return interaction?(navigationController, animationController)
    }
  }
#endif
