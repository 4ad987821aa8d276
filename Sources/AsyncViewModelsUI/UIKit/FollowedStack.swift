#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// A navigation controller that shows a stack of a navigation tree.
  @MainActor
  final class FollowedStack<Route: Hashable & Sendable> {
    private weak var controller: UINavigationController?
    private let follower: PathFollower<Route, UINavigationController>
    /// The delegate of the navigation controller, which does not keep it.
    private var delegate: (any UINavigationControllerDelegate)?

    /// Shows the current path without animation.
    ///
    /// - Parameter root: The root in the tree. The controllers that the navigation controller
    ///   already has stay below the path.
    init(
      _ controller: UINavigationController, above root: NavigationEntry<Route>,
      of model: NavigationModel<Route>, animated: Bool,
      _ makeController: @escaping @MainActor (NavigationEntry<Route>) -> UIViewController
    ) {
      self.controller = controller
      follower = PathFollower(model, above: root, makeController)
      takePlace(in: controller)
      follower.begin(on: controller, animated: animated)
    }

    /// Shows the current path: now, or after the transition that is in progress.
    func update() {
      guard let controller else { return }
      takePlace(in: controller)
      follower.show(on: controller)
    }

    /// Installs a delegate, in front of the delegate that other code has set.
    private func takePlace(in controller: UINavigationController) {
      if let delegate, controller.delegate === delegate { return }
      let calls = ForwardedNavigationCalls(to: controller.delegate) { [weak self] in
        self?.stackChanged(of: $0)
      }
      delegate = calls.makeDelegate()
      controller.delegate = delegate
    }

    /// Takes over a change of the stack: now, or after the transition that is in progress.
    private func stackChanged(of controller: UINavigationController) {
      guard let transition = controller.transitionCoordinator else { return update(controller) }
      let isTaken = transition.animate(alongsideTransition: nil) { [weak self, weak controller] context in
        // After a cancelled swipe, the controllers are as before.
        if let self, let controller, !context.isCancelled { follower.removePoppedRoutes(of: controller) }
      }
      controller.afterTransition { [weak self, weak controller] in
        guard let self, let controller else { return }
        if isTaken { follower.show(on: controller) } else { stackChanged(of: controller) }
      }
    }

    private func update(_ controller: UINavigationController) {
      follower.removePoppedRoutes(of: controller)
      // In a task: a navigation controller may postpone a change that its delegate makes, or not
      // make it at all.
      Task { [weak self, weak controller] in
        if let self, let controller { follower.show(on: controller) }
      }
    }
  }

  extension UINavigationController: PathStack {
    var screens: [UIViewController] { viewControllers }
    var canMove: Bool { transitionCoordinator == nil }

    /// Also called for the transition of a presented controller, which does not call the delegate.
    func afterTransition(_ action: @escaping @MainActor () -> Void) {
      guard let transitionCoordinator else { return action() }
      transitionCoordinator.whenEnded(action)
    }

    func replaceScreens(
      above screen: UIViewController, with newScreens: [UIViewController], animated: Bool
    ) throws(ScreenHostError) -> [UIViewController] {
      guard let index = viewControllers.firstIndex(of: screen) else { throw .unknownScreen }
      let removed = viewControllers[(index + 1)...].reversed()
      setViewControllers(
        viewControllers[...index] + newScreens, animated: animated && viewIfLoaded?.window != nil)
      return Array(removed)
    }
  }
#endif
