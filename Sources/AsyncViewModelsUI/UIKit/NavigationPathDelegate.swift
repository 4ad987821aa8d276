#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Lets a navigation controller show the controllers of the path above the root of a navigation
  /// tree, and removes the routes of popped controllers from the path.
  ///
  /// ```swift
  /// let controller = UINavigationController(rootViewController: home)
  /// let delegate = NavigationPathDelegate(of: controller, following: navigation) {
  ///   [cart, products] route in
  ///   switch route {
  ///   case .cart: CartViewController(model: cart)
  ///   case .product(let id):
  ///     ProductViewController(lease: products.assumeIsolated { $0.lease(id) })
  ///   }
  /// }
  /// navigation.push(.product(7))  // shows product 7; a swipe back removes the route
  /// ```
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | the path changes | The controller shows the new path soon after, in one transition. Controllers of the unchanged routes at its beginning stay. |
  /// | the path changes during a transition | The controller shows it after the transition. |
  /// | a pop, by code or by the user | Its route leaves the path when the transition has ended. A cancelled swipe changes nothing. |
  /// | code pushes at the same time as a pop | The pop is discarded. |
  /// | other code pushes a controller | The controller has no route. |
  /// | there is another delegate already | It still receives its calls, except those for the orientation. |
  /// | other code sets another delegate later | Pops are noticed at the next change of the path, which installs this object in front of that delegate. |
  ///
  /// - Isolation: The main actor. `makeController` runs once for each route that the path gains.
  /// - Ownership: Store this object, because the navigation controller does not keep it. It keeps
  ///   the model and `makeController`, which must not capture the navigation controller.
  @MainActor
  public final class NavigationPathDelegate<Route: Hashable & Sendable> {
    private let follower: PathFollower<Route, UINavigationController>
    /// The delegate of the navigation controller, which does not keep it.
    private var delegate: (any UINavigationControllerDelegate)?

    /// Becomes the delegate of a navigation controller, and shows the current path.
    ///
    /// - Parameters:
    ///   - controller: The navigation controller. The controllers that it already has stay below
    ///     the path.
    ///   - model: The model whose path the controller shows.
    ///   - animated: Whether later changes of the path are animated.
    ///   - makeController: Makes the controller of a route.
    /// - Precondition: `controller` has a root.
    public init(
      of controller: UINavigationController, following model: NavigationModel<Route>, animated: Bool = true,
      makeController: @escaping @MainActor (Route) -> UIViewController
    ) {
      guard !controller.viewControllers.isEmpty else {
        fatalError("NavigationPathDelegate: the navigation controller has no root")
      }
      follower = PathFollower(model) { makeController($0.route) }
      follower.follow(on: controller, animated: animated) { [weak self] in self?.takePlace(in: $0) }
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
