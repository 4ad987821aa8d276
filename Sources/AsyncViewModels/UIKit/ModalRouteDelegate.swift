#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Presents a view controller while a state contains a route, and removes the route when the user closes the controller.
  ///
  /// ```swift
  /// override func viewDidAppear(_ animated: Bool) {
  ///   super.viewDidAppear(animated)
  ///   if modal == nil { modal = ModalRouteDelegate(from: self, following: app.presentedRoute) { FilterViewController($0) } }
  ///   modal?.update()
  /// }
  /// ```
  ///
  /// View models and links change the route: `app.presentedRoute.send(.filter)` presents, `nil` dismisses, and another route
  /// dismisses one controller and presents the next. A route that changes during a transition is shown after it. If the user
  /// closes a controller while code sets another route, that route is shown.
  ///
  /// - Isolation: The main actor. `makeController` runs once for each route that is presented.
  /// - Ownership: Store this object in the presenting controller, which it references weakly. It is the delegate of the
  ///   presentation controller of each controller that it presents, and learns of gestures this way. Code that closes the
  ///   controller sets the route to `nil`. If it calls `dismiss(animated:)` instead, it has to call ``update()`` afterwards.
  @MainActor
  public final class ModalRouteDelegate<Route: Hashable & Sendable>: NSObject,
    UIAdaptivePresentationControllerDelegate
  {
    private struct Shown {
      let route: Route
      /// UIKit keeps the controller.
      weak var controller: UIViewController?
      /// Whether the controller has been presented. UIKit can refuse a presentation.
      var wasPresented = false
    }

    private weak var presenter: UIViewController?
    private let route: ObservableState<Route?>
    private let animated: Bool
    private let makeController: @MainActor (Route) -> UIViewController
    private var shown: Shown?
    private var isMakingController = false
    private var observation: CancellationToken?

    /// Presents the controller of the current route, and of each later route.
    ///
    /// - Parameters:
    ///   - presenter: The controller that presents. If it is not in a window, call ``update()`` when it has appeared.
    ///   - route: The route to show, or `nil`.
    ///   - animated: Whether presentations and dismissals are animated.
    ///   - makeController: Makes the controller of a route. It must not capture this object.
    public init(
      from presenter: UIViewController, following route: ObservableState<Route?>, animated: Bool = true,
      makeController: @escaping @MainActor (Route) -> UIViewController
    ) {
      self.presenter = presenter
      self.route = route
      self.animated = animated
      self.makeController = makeController
      super.init()
      update()
      observation = route.observe(on: self) { modal, _ in modal.update() }
    }

    /// Presents or dismisses, if the presented controller is not that of the current route.
    ///
    /// This object calls it after each change of the route. Call it when the presenting controller has appeared.
    public func update() {
      removeClosed()
      guard !isMakingController, let presenter, shown?.route != route.value else { return }
      if let transition = transition(from: presenter) {
        // In a task, because the transition is still there in the completion of its coordinator.
        transition.animate(alongsideTransition: nil) { [weak self] _ in Task { self?.update() } }
        return
      }
      if let controller = shown?.controller {
        controller.presentingViewController?.dismiss(animated: animated) { [weak self] in self?.update() }
      } else if let route = route.value, presenter.viewIfLoaded?.window != nil {
        present(route, from: presenter)
      }
    }

    private func present(_ route: Route, from presenter: UIViewController) {
      isMakingController = true
      let controller = makeController(route)
      isMakingController = false
      // Making the controller may have changed the route.
      guard self.route.value == route else { return update() }
      controller.presentationController?.delegate = self
      shown = Shown(route: route, controller: controller)
      presenter.lastPresented.present(controller, animated: animated) { [weak self] in self?.update() }
    }

    /// The transition of the presenting controller or of a controller above it.
    private func transition(
      from presenter: UIViewController
    ) -> (any UIViewControllerTransitionCoordinator)? {
      var controller: UIViewController? = presenter
      while let current = controller {
        if let transition = current.transitionCoordinator { return transition }
        controller = current.presentedViewController
      }
      return nil
    }

    /// Removes the route of a controller that was dismissed, unless the route has changed. The route of a controller that UIKit has
    /// refused to present stays, and is presented by a later update.
    private func removeClosed() {
      guard let shown else { return }
      if shown.controller?.presentingViewController != nil {
        self.shown?.wasPresented = true
      } else {
        self.shown = nil
        if shown.wasPresented { _ = route.storage.replace(shown.route, with: nil) }
      }
    }

    /// Removes the route of the controller that the user has closed, and shows the route that was set in the meantime.
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
      update()
    }
  }
#endif
