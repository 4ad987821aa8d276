#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsTesting
  import Testing
  import ToolkitTestSupport
  import UIKit

  @testable import AsyncViewModelsUI

  extension UIKitTests.NavigationTreeDelegateTests {
    @MainActor
    @Suite("tabs", .timeLimit(.minutes(5)), .endsWaits)
    struct Tabs {
      private static let tree = NavigationTree<TestRoute>(.tabs([.stack(.home), .stack(.products)]))

      @Test(
        "empty navigation controllers get the roots and the paths of the tabs, and the selected tab is shown")
      func firstTree() async throws {
        var tree = Self.tree
        tree.front.push(.orders)
        tree.select(.products)
        tree.front.push(.cart)
        try await withTabs(tree) { tabs in
          #expect(tabs.shown == "[home/orders, products/cart]1")
          #expect(tabs.model.tree == tree)
        }
      }

      @Test("a navigation controller with a root keeps it")
      func ownRoot() async throws {
        try await withControllers { controllers in
          let navigation = UINavigationController(rootViewController: controllers.controller("own"))
          let model = NavigationModel<TestRoute>([.cart])
          let delegate = NavigationTreeDelegate(of: navigation, following: model) {
            controllers.controller("\($0.route)")
          }
          #expect(
            navigation.viewControllers.map { ($0 as? RecordingViewController)?.name } == ["own", "cart"])
          withExtendedLifetime(delegate) {}
        }
      }

      @Test("the tree selects a tab, which appears with its newest path")
      func selection() async throws {
        try await withTabs(Self.tree) { tabs in
          tabs.model.update {
            $0.front.push(.orders)
            $0.select(.products)
            $0.front.push(.cart)
          }
          try await tabs.waitFor("[home/orders, products/cart]1")
          UIKitStandIn.advance()
          let log = tabs.controllers.log.take()
          #expect(log.contains("cart.didAppear"))
          #expect(log.contains("home.didDisappear"))
          #expect(!log.contains { $0.hasPrefix("products.didLoad") || $0.hasPrefix("orders.didLoad") })
        }
      }

      @Test("a tap selects the tab in the tree, and paths stay")
      func tap() async throws {
        var tree = Self.tree
        tree.front.push(.orders)
        try await withTabs(tree) { tabs in
          UIKitStandIn.tapTab(1, of: tabs.controller)
          #expect(tabs.model.tree.base.root == .products)
          tabs.model.push(.cart)
          try await tabs.waitFor("[home/orders, products/cart]1")
          UIKitStandIn.tapTab(1, of: tabs.controller)
          UIKitStandIn.tapTab(0, of: tabs.controller)
          #expect(tabs.model.tree.top == .orders)
          try await tabs.waitFor("[home/orders, products/cart]0")
        }
      }

      @Test("the later of a tap and a change of the tree counts")
      func tapAndChange() async throws {
        try await withTabs(Self.tree) { tabs in
          UIKitStandIn.tapTab(1, of: tabs.controller)
          tabs.model.update { $0.select(.home) }
          try await tabs.waitFor("[home, products]0")
          tabs.model.update { $0.select(.products) }
          UIKitStandIn.tapTab(0, of: tabs.controller)
          await Task.yield()
          try await tabs.waitFor("[home, products]0")
          #expect(tabs.model.tree.base.root == .home)
        }
      }

      @Test("a tab that other code selects is selected in the tree at the next change")
      func otherCode() async throws {
        try await withTabs(Self.tree) { tabs in
          tabs.controller.selectedIndex = 1
          tabs.model.update { $0.front.push(.orders) }
          try await tabs.waitFor("[home/orders, products]1")
          try await until { tabs.model.tree.base.root == .products }
        }
      }

      @Test("tabs that other code adds and reorders keep the tree right")
      func otherControllers() async throws {
        try await withTabs(Self.tree) { tabs in
          let stacks = tabs.controller.viewControllers ?? []
          let other = tabs.controllers.controller("other")
          tabs.controller.viewControllers = [other, stacks[1], stacks[0]]
          UIKitStandIn.tapTab(0, of: tabs.controller)
          #expect(tabs.model.tree.base.root == .home, "the tree does not have the new tab")
          UIKitStandIn.tapTab(1, of: tabs.controller)
          #expect(tabs.model.tree.base.root == .products)
          tabs.model.update { $0.select(.home) }
          try await until { tabs.controller.selectedIndex == 2 }
          tabs.model.push(.cart)
          try await tabs.waitFor("[other, products, home/cart]2")
        }
      }

      @Test("the list of further tabs stays until the tree selects another tab")
      func more() async throws {
        try await withTabs(Self.tree) { tabs in
          UIKitStandIn.tapMore(of: tabs.controller)
          tabs.model.update { $0.front.push(.cart) }
          try await until { (tabs.controller.viewControllers?.first?.children.count ?? 0) == 2 }
          #expect(tabs.controller.selectedViewController == nil)
          #expect(tabs.model.tree.base.root == .home)
          tabs.model.update { $0.select(.products) }
          try await tabs.waitFor("[home/cart, products]1")
        }
      }

      @Test("tabs in a tab keep their selection when the user selects the outer tab")
      func nested() async throws {
        let inner = NavigationTree<TestRoute>.Container.tabs([.stack(.cart), .stack(.orders)], selected: 1)
        try await withTabs(NavigationTree(.tabs([.stack(.home), inner]))) { tabs in
          UIKitStandIn.tapTab(1, of: tabs.controller)
          #expect(tabs.model.tree.top == .orders)
          let innerTabs = try #require(tabs.controller.selectedViewController as? UITabBarController)
          UIKitStandIn.tapTab(0, of: innerTabs)
          #expect(tabs.model.tree.top == .cart)
          try await tabs.waitFor("[home, [cart, orders]0]1")
        }
      }

      @Test("tabs of a modal are followed")
      func modal() async throws {
        try await withTabs(Self.tree) { tabs in
          let inner = UITabBarController()
          tabs.onMake = { route, controller in
            guard route == .cart else { return controller }
            inner.viewControllers = [
              UINavigationController(rootViewController: controller),
              UINavigationController(rootViewController: tabs.controllers.controller("orders")),
            ]
            return inner
          }
          tabs.model.update { $0.present(.tabs([.stack(.cart), .stack(.orders)], selected: 1)) }
          try await until {
            UIKitStandIn.advance()
            return tabs.controller.presentedViewController === inner
          }
          #expect(inner.selectedIndex == 1)
          UIKitStandIn.tapTab(0, of: inner)
          #expect(tabs.model.tree.top == .cart)
          #expect(tabs.model.tree.base == Self.tree.base)
          tabs.onMake = { $1 }
        }
      }

      private final class Other: NSObject, UITabBarControllerDelegate {
        final class Animation: NSObject, UIViewControllerAnimatedTransitioning,
          UIViewControllerInteractiveTransitioning
        {}

        var calls: [String] = []
        var allows = true

        func tabBarController(
          _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
        ) -> Bool {
          calls.append("shouldSelect")
          return allows
        }

        func tabBarController(
          _ tabBarController: UITabBarController, didSelect viewController: UIViewController
        ) {
          calls.append("didSelect")
        }

        func tabBarController(
          _ tabBarController: UITabBarController,
          animationControllerForTransitionFrom fromVC: UIViewController, to toVC: UIViewController
        ) -> (any UIViewControllerAnimatedTransitioning)? {
          calls.append("animation")
          return Animation()
        }

        func tabBarController(
          _ tabBarController: UITabBarController,
          interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
        ) -> (any UIViewControllerInteractiveTransitioning)? {
          calls.append("interaction")
          return nil
        }
      }

      @Test("a delegate that other code sets receives its calls, and may refuse a tab")
      func otherDelegate() async throws {
        let other = Other()
        try await withTabs(Self.tree) { tabs in
          tabs.controller.delegate = other
          tabs.model.update { $0.front.push(.cart) }
          try await tabs.waitFor("[home/cart, products]0")
          UIKitStandIn.tapTab(1, of: tabs.controller)
          #expect(other.calls == ["shouldSelect", "animation", "interaction", "didSelect"])
          #expect(tabs.model.tree.base.root == .products)
          other.allows = false
          UIKitStandIn.tapTab(0, of: tabs.controller)
          #expect(other.calls.last == "shouldSelect")
          #expect(tabs.model.tree.base.root == .products)
        }
      }

      @Test("controllers that are not the tabs of the tree end the process")
      func otherTabs() async {
        await #expect(processExitsWith: .failure) {
          await MainActor.run {
            let tabs = UITabBarController()
            tabs.viewControllers = [UINavigationController()]
            let model = NavigationModel<TestRoute>(
              NavigationTree(.tabs([.stack(.home), .stack(.products)])), links: .test)
            _ = NavigationTreeDelegate(of: tabs, following: model) { _ in UIViewController() }
          }
        }
      }

      private func withTabs(
        _ tree: NavigationTree<TestRoute>, _ body: @MainActor (FollowedTabBar) async throws -> Void
      ) async throws {
        try await withControllers { controllers in
          let tabs = FollowedTabBar(tree, controllers)
          controllers.show(tabs.controller)
          try await body(tabs)
          tabs.controller.dismiss(animated: false)
          UIKitStandIn.advance()
        }
      }
    }
  }

  /// A tab bar controller that follows a tree with recording controllers.
  @MainActor
  private final class FollowedTabBar {
    let model: NavigationModel<TestRoute>
    let controllers: ControllerSet
    let controller: UITabBarController
    private var delegate: NavigationTreeDelegate<TestRoute>?
    var onMake: @MainActor (TestRoute, UIViewController) -> UIViewController = { $1 }

    init(_ tree: NavigationTree<TestRoute>, _ controllers: ControllerSet) {
      (model, self.controllers) = (NavigationModel(tree, links: .test), controllers)
      controller = controllers.tracker.track(UITabBarController(), "tabs")
      Self.fill(controller, tree.base)
      delegate = NavigationTreeDelegate(of: controller, following: model) { [weak self] entry in
        let new = controllers.controller("\(entry.route)")
        return self?.onMake(entry.route, new) ?? new
      }
    }

    private static func fill(
      _ controller: UITabBarController, _ container: NavigationTree<TestRoute>.Container
    ) {
      guard case .tabs(let tabs, _) = container else { return }
      controller.viewControllers = tabs.map { tab in
        guard case .tabs = tab else { return UINavigationController() }
        let inner = UITabBarController()
        fill(inner, tab)
        return inner
      }
    }

    var shown: String { controller.shownScreens }

    func waitFor(_ text: String) async throws {
      try await until {
        UIKitStandIn.advance()
        return self.shown == text
      }
    }
  }

  extension UIViewController {
    /// The screens of this controller, like those of a tree.
    var shownScreens: String {
      switch self {
      case let stack as UINavigationController:
        stack.viewControllers.map(\.shownScreens).joined(separator: "/")
      case let tabs as UITabBarController:
        "[\((tabs.viewControllers ?? []).map(\.shownScreens).joined(separator: ", "))]\(tabs.selectedIndex)"
      default: (self as? RecordingViewController)?.name ?? "?"
      }
    }
  }
#endif
