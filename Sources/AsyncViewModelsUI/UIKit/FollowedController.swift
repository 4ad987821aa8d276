#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// A controller of the app that shows a container of a navigation tree.
  @MainActor
  final class FollowedController<Route: Hashable & Sendable> {
    typealias Entry = NavigationEntry<Route>
    typealias Container = NavigationTree<Entry>.Container

    private enum Content {
      case stack(FollowedStack<Route>)
      case tabs(FollowedTabs<Route>, [FollowedController])
      /// The controller is no container that fits, and only shows the root.
      case screen
    }

    /// The roots of all stacks. The controllers of another container have other roots.
    let roots: [Entry]
    /// Whether the controllers have the tabs of the container.
    let fits: Bool
    private let content: Content
    /// The container that was shown last.
    private var shown: Container

    /// Shows a container without animation.
    ///
    /// - Parameter makesRoots: Whether empty navigation controllers get their roots.
    init(
      _ controller: UIViewController, showing container: Container, of model: NavigationModel<Route>,
      animated: Bool, makesRoots: Bool = false,
      _ makeController: @escaping @MainActor (Entry) -> UIViewController
    ) {
      roots = container.stacks.map(\.root)
      shown = container
      switch (container, controller) {
      case (.stack(let root, _), let controller as UINavigationController)
      where makesRoots || !controller.viewControllers.isEmpty:
        if controller.viewControllers.isEmpty { controller.viewControllers = [makeController(root)] }
        content = .stack(
          FollowedStack(controller, above: root, of: model, animated: animated, makeController))
        fits = true
      case (.tabs(let tabs, let selected), let controller as UITabBarController)
      where controller.viewControllers?.count == tabs.count:
        let children = zip(controller.viewControllers ?? [], tabs).map {
          FollowedController(
            $0, showing: $1, of: model, animated: animated, makesRoots: makesRoots, makeController)
        }
        content = .tabs(FollowedTabs(controller, selected: selected), children)
        fits = children.allSatisfy(\.fits)
      default:
        content = .screen
        if case .stack = container { fits = true } else { fits = false }
      }
      guard case .tabs(let followed, _) = content else { return }
      followed.onSelect = { [weak self, weak model] index in
        // The stack that this tab shows, so that tabs in the tab stay.
        if let self, let model, case .tabs(let tabs, _) = shown { model.select(tabs[index].root) }
      }
    }

    /// Shows a container with the same roots.
    func update(to container: Container) {
      shown = container
      switch content {
      case .screen: break
      case .stack(let stack): stack.update()
      case .tabs(let followed, let children):
        guard case .tabs(let tabs, let selected) = container else { return }
        // What is off display changes first, so that the new tab appears with its newest path, and
        // the old one disappears as it was.
        let visible = followed.selectedIndex
        for index in tabs.indices where index != visible { children[index].update(to: tabs[index]) }
        followed.update(selected: selected)
        if let visible { children[visible].update(to: tabs[visible]) }
      }
    }
  }
#endif
