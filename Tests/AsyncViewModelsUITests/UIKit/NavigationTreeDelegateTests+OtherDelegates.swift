#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsTesting
  import AsyncViewModelsUI
  import Foundation
  import Testing
  import ToolkitTestSupport
  import UIKit

  extension UIKitTests.NavigationTreeDelegateTests {
    private final class Other: NSObject, UINavigationControllerDelegate {
      final class Animation: NSObject, UIViewControllerAnimatedTransitioning,
        UIViewControllerInteractiveTransitioning
      {}

      var calls: [String] = []

      private func note(_ call: String, _ controller: UIViewController) {
        calls.append("\(call) \((controller as? RecordingViewController)?.name ?? "?")")
      }

      func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController,
        animated: Bool
      ) {
        note("willShow", viewController)
      }

      func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController,
        animated: Bool
      ) {
        note("didShow", viewController)
      }

      func navigationController(
        _ navigationController: UINavigationController,
        animationControllerFor operation: UINavigationController.Operation,
        from fromVC: UIViewController, to toVC: UIViewController
      ) -> (any UIViewControllerAnimatedTransitioning)? {
        note("\(operation)", toVC)
        return Animation()
      }

      func navigationController(
        _ navigationController: UINavigationController,
        interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
      ) -> (any UIViewControllerInteractiveTransitioning)? {
        calls.append("interaction")
        return Animation()
      }
    }

    @Test("a delegate that the navigation controller already has still receives its calls")
    func otherDelegate() async throws {
      let model = NavigationModel<TestRoute>()
      let other = Other()
      try await withControllers { controllers in
        let follower = NavigationFollower(model, controllers, animated: true, other)
        controllers.show(follower.navigation)
        other.calls = []
        model.push(.cart)
        try await follower.waitForNames(["root", "cart"])
        UIKitStandIn.advance()
        #expect(other.calls == ["push cart", "interaction", "willShow cart", "didShow cart"])
        follower.navigation.popViewController(animated: true)
        UIKitStandIn.advance()
        #expect(model.tree.front.routes.isEmpty)
        #expect(other.calls.last == "didShow root")
      }
    }

    @Test("a delegate that is set later receives its calls, and a pop still changes the path")
    func replacedDelegate() async throws {
      try await withFollower(of: [.products]) { follower in
        let other = Other()
        for _ in 1...2 {
          follower.navigation.delegate = other
          follower.model.push(.cart)
          try await follower.waitForNames(["root", "products", "cart"])
          UIKitStandIn.advance()
          #expect(other.calls.last == "didShow cart")
          follower.navigation.popViewController(animated: true)
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products])
          #expect(other.calls.last == "didShow products")
        }
        follower.navigation.delegate = nil
        follower.model.push(.cart)
        try await follower.waitForNames(["root", "products", "cart"])
        UIKitStandIn.advance()
        follower.navigation.popViewController(animated: false)
        UIKitStandIn.advance()
        #expect(follower.model.tree.front.routes == [.products])
      }
    }
  }
#endif
