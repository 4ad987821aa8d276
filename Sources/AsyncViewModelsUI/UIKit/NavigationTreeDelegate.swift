#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Lets the controllers of a window show a navigation tree, and takes over what the user changes.
  ///
  /// ```swift
  /// let navigation = NavigationModel<Route>(
  ///   NavigationTree(.tabs([.stack(.list), .stack(.cart)])), links: Route.links)
  /// let tabs = UITabBarController()
  /// tabs.viewControllers = [UINavigationController(), UINavigationController()]
  /// let delegate = NavigationTreeDelegate(of: tabs, following: navigation) { [navigation] entry in
  ///   switch entry.route {
  ///   case .list: ListViewController()
  ///   case .cart: CartViewController()
  ///   case .product(let id): ProductViewController(id)
  ///   case .filter: FilterViewController { navigation.finish(.filter, of: entry, with: $0) }
  ///   }
  /// }
  /// navigation.push(.product(7))                    // shows product 7 in the selected tab
  /// let filter = await navigation.present(.filter)  // shows a sheet
  /// ```
  ///
  /// | in the tree | controller |
  /// | --- | --- |
  /// | a stack of the base | a `UINavigationController`. If it is empty, it gets the controller of the root; otherwise its controllers stay below the path. Any other controller shows only the root. |
  /// | tabs | a `UITabBarController` with a controller for each tab, in their order |
  /// | a modal | the controller that `makeController` returns for its first root. A `UINavigationController` with that root follows the path of the modal. |
  /// | an alert | a `UIAlertController` in front |
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | the tree changes | The controllers show the newest tree soon after. Controllers of unchanged entries stay, and those of trees in between are not made. |
  /// | paths or modals change during a transition | They are shown after the transition. Modals enter one after the other. |
  /// | a pop, by code or by the user | Its route leaves the path when the transition has ended. A cancelled swipe changes nothing. |
  /// | code pushes at the same time as a pop | The pop is discarded. |
  /// | other code pushes or presents a controller | The controller has no route. A modal is presented above it. |
  /// | the user or other code selects a tab | The tree selects it. Controllers that other code adds to the tabs are not in the tree. |
  /// | a gesture, a button, the system or other code closes a modal | It leaves the tree, with those above it. An alert above it is shown again. |
  /// | there is another delegate of a container already | It still receives its calls, except those for the orientation, for `UITab`, and for the order of tabs. |
  /// | other code sets another delegate later | This object takes its place at the next change of the tree. |
  ///
  /// - Isolation: The main actor. `makeController` runs for each entry that needs a controller, and
  ///   again if the tree changes meanwhile, or if UIKit has refused a presentation.
  /// - Ownership: Store this object as long as the controllers, which do not keep it. When it is
  ///   released, delegates whose place it has taken receive no more calls, and the tree stays as it
  ///   is: callers of its modals wait until these leave. It keeps the model and
  ///   `makeController`, which must not capture it or `controller`.
  @MainActor
  public final class NavigationTreeDelegate<Route: Hashable & Sendable> {
    private let model: NavigationModel<Route>
    private let base: FollowedController<Route>
    private let layers: PresentedLayers<Route>
    private var observation: CancellationToken?

    /// Shows the current tree, and each later one. Loads the view of a container.
    ///
    /// - Parameters:
    ///   - controller: The controller below all modals.
    ///   - model: The model whose tree the controllers show. The roots of its base do not change.
    ///   - animated: Whether later changes are animated.
    ///   - makeController: Makes the controller of an entry.
    /// - Precondition: Tabs of the base have a tab bar controller with as many controllers.
    public init(
      of controller: UIViewController, following model: NavigationModel<Route>, animated: Bool = true,
      makeController: @escaping @MainActor (NavigationEntry<Route>) -> UIViewController
    ) {
      self.model = model
      base = FollowedController(
        controller, showing: model.store.value.entries.base, of: model, animated: animated, makesRoots: true,
        makeController)
      guard base.fits else { fatalError("NavigationTreeDelegate: the controllers are not the tree's tabs") }
      layers = PresentedLayers(above: controller, of: model, animated: animated, makeController)
      // UIKit presents nothing before the controller is in a window. Views of other controllers can
      // belong to a framework that allows no other subviews, such as SwiftUI.
      if controller is UINavigationController || controller is UITabBarController {
        _ = WindowMark(in: controller.view) { [weak self] in self?.layers.update() }
      }
      layers.update()
      observation = model.store.observe(on: self) { delegate, _ in delegate.update() }
    }

    /// Shows the newest tree now, instead of soon after its change.
    ///
    /// Call it in `viewDidAppear` of a base that is neither a navigation nor a tab bar controller,
    /// because UIKit presents nothing before.
    public func update() {
      let container = model.store.value.entries.base
      // The controllers of another base belong to the app.
      if container.stacks.map(\.root) == base.roots { base.update(to: container) }
      layers.update()
    }
  }
#endif
