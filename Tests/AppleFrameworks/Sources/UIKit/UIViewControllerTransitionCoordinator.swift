public import Foundation

/// The state of a transition.
@MainActor
public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
  /// Whether the transition is animated.
  var isAnimated: Bool { get }

  /// Whether a gesture began the transition.
  var initiallyInteractive: Bool { get }

  /// Whether a gesture controls the transition now.
  var isInteractive: Bool { get }

  /// Whether the transition was cancelled.
  var isCancelled: Bool { get }

  func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController?
}

/// A transition that accepts animations.
@MainActor
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
  /// Adds an animation that runs alongside the transition, and a completion that runs after it.
  ///
  /// - Returns: Whether the animation will run. The animations of the transition may have begun already; the
  ///   completion still runs in this case.
  @discardableResult
  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool

  /// Adds a handler that runs when a gesture stops controlling the transition.
  func notifyWhenInteractionChanges(
    _ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void)
}

extension UIViewControllerTransitionCoordinator {
  /// Adds an animation that runs alongside the transition.
  @discardableResult
  public func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool {
    animate(alongsideTransition: animation, completion: nil)
  }
}

/// The role of a controller in a transition.
public struct UITransitionContextViewControllerKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let from = UITransitionContextViewControllerKey(rawValue: "from")
  public static let to = UITransitionContextViewControllerKey(rawValue: "to")
}
