public import Foundation

/// An object that learns which controllers a navigation controller shows.
///
/// In UIKit, all functions are optional requirements. Swift has these only on Apple platforms, so here they
/// have default implementations.
@MainActor
public protocol UINavigationControllerDelegate: NSObjectProtocol {
  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)

  /// Returns the animation of a push or a pop, or `nil` for the standard animation.
  func navigationController(
    _ navigationController: UINavigationController,
    animationControllerFor operation: UINavigationController.Operation,
    from fromVC: UIViewController, to toVC: UIViewController
  ) -> (any UIViewControllerAnimatedTransitioning)?

  /// Returns what controls the animation, or `nil` if it is not interactive. Called only with an animation of the delegate.
  func navigationController(
    _ navigationController: UINavigationController,
    interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
  ) -> (any UIViewControllerInteractiveTransitioning)?
}

extension UINavigationControllerDelegate {
  /// Does nothing.
  public func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool
  ) {}

  /// Does nothing.
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
  ) {}

  /// Returns `nil`.
  public func navigationController(
    _ navigationController: UINavigationController,
    animationControllerFor operation: UINavigationController.Operation,
    from fromVC: UIViewController, to toVC: UIViewController
  ) -> (any UIViewControllerAnimatedTransitioning)? { nil }

  /// Returns `nil`.
  public func navigationController(
    _ navigationController: UINavigationController,
    interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
  ) -> (any UIViewControllerInteractiveTransitioning)? { nil }
}

/// The animations of a transition. The stand-in asks for them, and does not run them.
@MainActor
public protocol UIViewControllerAnimatedTransitioning: NSObjectProtocol {}

/// What controls the animations of a transition. The stand-in asks for it, and does not use it.
@MainActor
public protocol UIViewControllerInteractiveTransitioning: NSObjectProtocol {}

extension UINavigationController {
  public enum Operation: Int, Sendable { case none, push, pop }

  /// Asks the delegate for the animation of a transition, as UIKit does before an animated transition.
  func askForAnimation(of transition: NavigationTransition) {
    guard transition.coordinator.isAnimated, let from = transition.from, let to = transition.to else {
      return
    }
    let animation = delegate?.navigationController(
      self, animationControllerFor: transition.isPop ? .pop : .push, from: from, to: to)
    if let animation { _ = delegate?.navigationController(self, interactionControllerFor: animation) }
  }
}
