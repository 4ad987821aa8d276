#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Foundation
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("controllers that follow a navigation tree", .timeLimit(.minutes(5)), .endsWaits)
    struct NavigationTreeDelegateTests {
      @Test("the current path is shown at once, and only the top controller is loaded")
      func firstPath() async throws {
        try await withFollower(of: [.products, .product(7)], shown: false) { follower in
          #expect(follower.names == ["root", "products", "product(7)"])
          follower.controllers.show(follower.navigation)
          #expect(follower.navigation.viewControllers.map(\.isViewLoaded) == [false, false, true])
        }
      }

      @Test("a new path is shown in one animated transition, and controllers of the same routes stay")
      func newPath() async throws {
        try await withFollower(of: [.products, .product(7)]) { follower in
          let kept = follower.navigation.viewControllers[1]
          follower.model.update { $0.front = RoutePath([.products, .cart, .profile]) }
          try await follower.waitForNames(["root", "products", "cart", "profile"])
          UIKitStandIn.advance()
          #expect(follower.navigation.viewControllers[1] === kept)
          let log = follower.controllers.log.take()
          #expect(
            log.filter { $0.contains("Appear") } == [
              "profile.willAppear animated", "profile.didAppear animated",
            ])
          #expect(log.contains("product(7).didMove(nil)"))
        }
      }

      @Test("without animation, a new path is shown without animation")
      func notAnimated() async throws {
        try await withFollower(animated: false) { follower in
          follower.model.push(.cart)
          try await follower.waitForNames(["root", "cart"])
          UIKitStandIn.advance()
          #expect(!follower.controllers.log.take().contains { $0.contains("animated") })
        }
      }

      @Test("a pop removes its route from the path when its transition has ended", arguments: [true, false])
      func pop(animated: Bool) async throws {
        try await withFollower(of: [.products, .product(7), .product(7)]) { follower in
          follower.navigation.popViewController(animated: animated)
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products, .product(7)])
          follower.navigation.popToRootViewController(animated: animated)
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes.isEmpty)
          #expect(follower.names == ["root"])
        }
      }

      @Test("a swipe back removes its route when it is finished, and not when it is cancelled")
      func swipe() async throws {
        try await withFollower(of: [.products, .cart]) { follower in
          try #require(UIKitStandIn.beginInteractivePop(of: follower.navigation)).cancel()
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products, .cart])
          #expect(follower.names == ["root", "products", "cart"])
          let swipe = try #require(UIKitStandIn.beginInteractivePop(of: follower.navigation))
          #expect(follower.model.tree.front.routes == [.products, .cart])
          swipe.finish()
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products])
          #expect(follower.names == ["root", "products"])
        }
      }

      @Test(
        "a path that changes during a swipe is shown after it, and discards the pop",
        arguments: [true, false])
      func pathDuringSwipe(finished: Bool) async throws {
        try await withFollower(of: [.products, .cart]) { follower in
          let swipe = try #require(UIKitStandIn.beginInteractivePop(of: follower.navigation))
          follower.model.push(.profile)
          try await follower.letPathsArrive()
          if finished { swipe.finish() } else { swipe.cancel() }
          UIKitStandIn.advance()
          try await follower.waitForNames(["root", "products", "cart", "profile"])
          #expect(follower.model.tree.front.routes == [.products, .cart, .profile])
        }
      }

      @Test("a path that changes during a transition is shown after it")
      func pathDuringTransition() async throws {
        try await withFollower { follower in
          follower.model.push(.products)
          try await follower.waitForNames(["root", "products"])
          follower.model.push(.cart)
          follower.model.push(.profile)
          try await follower.letPathsArrive()
          #expect(follower.names == ["root", "products"])
          UIKitStandIn.advance()
          try await follower.waitForNames(["root", "products", "cart", "profile"])
        }
      }

      @Test("a controller without a route stays until it is popped or a controller below it is removed")
      func controllerWithoutRoute() async throws {
        try await withFollower(of: [.products]) { follower in
          follower.navigation.pushViewController(follower.controllers.controller("legacy"), animated: false)
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products])
          follower.model.push(.cart)
          try await follower.waitForNames(["root", "products", "legacy", "cart"])
          UIKitStandIn.advance()
          follower.navigation.popToViewController(follower.navigation.viewControllers[1], animated: true)
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products])
          follower.navigation.pushViewController(follower.controllers.controller("legacy"), animated: false)
          UIKitStandIn.advance()
          follower.model.update { $0.front = RoutePath([.orders]) }
          try await follower.waitForNames(["root", "orders"])
        }
      }

      @Test("a controller of the path that other code has made the root stays the root")
      func newRoot() async throws {
        try await withFollower(of: [.products, .cart]) { follower in
          let products = follower.navigation.viewControllers[1]
          follower.navigation.setViewControllers([products], animated: false)
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products])
          follower.model.update { $0.front = RoutePath([.profile]) }
          try await follower.waitForNames(["products", "profile"])
        }
      }

      @Test(
        "after random changes of the path and the stack, the controller shows the path", arguments: 0..<10)
      func randomWalk(seed: UInt64) async throws {
        try await withFollower(late: seed.isMultiple(of: 2)) { follower in
          var numbers = SplitMix64(seed: seed)
          let routes: [TestRoute] = [.products, .product(1), .product(2), .cart]
          var swipe: UIKitStandIn.InteractivePop?
          for _ in 0..<200 {
            switch Int.random(in: 0..<9, using: &numbers) {
            case 0...1: follower.model.push(routes.randomElement(using: &numbers)!)
            case 2: _ = try? follower.model.update { try $0.front.pop() }
            case 3: follower.navigation.popViewController(animated: Bool.random(using: &numbers))
            case 4:
              if follower.navigation.transitionCoordinator == nil {
                swipe = UIKitStandIn.beginInteractivePop(of: follower.navigation)
              }
            case 5:
              if Bool.random(using: &numbers) { swipe?.finish() } else { swipe?.cancel() }
              swipe = nil
            case 6:
              let count = Int.random(in: 0...3, using: &numbers)
              let path = RoutePath((0..<count).map { _ in routes.randomElement(using: &numbers)! })
              follower.model.update { $0.front = path }
            case 7: if swipe == nil { UIKitStandIn.advance() }
            default: await Task.yield()
            }
          }
          swipe?.cancel()
          try await until {
            UIKitStandIn.advance()
            return follower.names == ["root"] + follower.model.tree.front.routes.map { "\($0)" }
          }
        }
      }

      @Test("a path that changes while a sheet is presented or dismissed is shown afterwards")
      func sheet() async throws {
        try await withFollower { follower in
          let sheet = follower.controllers.controller("sheet")
          follower.navigation.present(sheet, animated: true)
          follower.model.push(.cart)
          try await follower.letPathsArrive()
          UIKitStandIn.advance()
          try await follower.waitForNames(["root", "cart"])
          UIKitStandIn.advance()
          follower.navigation.dismiss(animated: true)
          follower.model.push(.orders)
          try await follower.letPathsArrive()
          UIKitStandIn.advance()
          try await follower.waitForNames(["root", "cart", "orders"])
          UIKitStandIn.advance()
        }
      }

      @Test("a stack without a root shows the path when it has a root again")
      func emptyStack() async throws {
        try await withFollower { follower in
          follower.navigation.setViewControllers([], animated: false)
          UIKitStandIn.advance()
          follower.model.push(.cart)
          try await follower.letPathsArrive()
          #expect(follower.names == [])
          follower.navigation.setViewControllers([follower.controllers.controller("new")], animated: false)
          UIKitStandIn.advance()
          try await follower.waitForNames(["new", "cart"])
        }
      }

      @Test("a controller that other code has moved below another one loses its route")
      func reorder() async throws {
        try await withFollower(of: [.products, .cart]) { follower in
          let stack = follower.navigation.viewControllers
          follower.navigation.setViewControllers([stack[0], stack[2], stack[1]], animated: false)
          UIKitStandIn.advance()
          #expect(follower.model.tree.front.routes == [.products])
          follower.model.update { $0.front.popToRoot() }
          try await follower.waitForNames(["root", "cart"])
        }
      }

      @Test("the delegate does not keep the controllers of a released navigation controller")
      func releasedNavigationController() async throws {
        let model = NavigationModel<TestRoute>([.cart])
        var delegate: NavigationTreeDelegate<TestRoute>?
        try await withControllers { controllers in
          let navigation = UINavigationController(rootViewController: controllers.controller("root"))
          delegate = NavigationTreeDelegate(of: navigation, following: model) {
            [tracker = controllers.tracker] in
            tracker.track(RecordingViewController("\($0.route)", in: HookLog()), "\($0.route)")
          }
        }
        withExtendedLifetime(delegate) {}
      }

      @Test("a released navigation controller ends its observer, and the model stays usable")
      func lifetime() async throws {
        let model = NavigationModel<TestRoute>()
        try await LiveObjects.scoped { liveObjects in
          try await withFollower(model) { follower in
            follower.model.push(.cart)
            try await follower.waitForNames(["root", "cart"])
          }
          if LiveObjects.areCounted { try await liveObjects.assertNothingLives() }
        }
        model.push(.orders)
        #expect(model.tree.front.routes == [.cart, .orders])
      }

      @Test("a path that changes during a transition whose coordinator takes no completion is shown after it")
      func withoutACompletion() async throws {
        try await withFollower { follower in
          let sheet = follower.controllers.controller("sheet")
          follower.navigation.present(sheet, animated: true)
          UIKitStandIn.refusesAlongsideAnimations = true
          defer { UIKitStandIn.refusesAlongsideAnimations = false }
          follower.model.push(.cart)
          try await follower.letPathsArrive()
          #expect(follower.names == ["root"])
          UIKitStandIn.advance()
          try await follower.waitForNames(["root", "cart"])
          follower.navigation.dismiss(animated: false)
          UIKitStandIn.advance()
        }
      }

      func withFollower(
        of routes: [TestRoute] = [], shown: Bool = true, animated: Bool = true, late: Bool = false,
        _ body: @MainActor (NavigationFollower) async throws -> Void
      ) async throws {
        let model = NavigationModel<TestRoute>(routes)
        try await withFollower(model, shown: shown, animated: animated, late: late, body)
      }

      private func withFollower(
        _ model: NavigationModel<TestRoute>, shown: Bool = true, animated: Bool = true, late: Bool = false,
        _ body: @MainActor (NavigationFollower) async throws -> Void
      ) async throws {
        try await withControllers(late: late) { controllers in
          let follower = NavigationFollower(model, controllers, animated: animated)
          if shown { controllers.show(follower.navigation) }
          try await body(follower)
        }
      }
    }
  }

  /// A navigation controller that follows a path with recording controllers.
  @MainActor
  struct NavigationFollower {
    let model: NavigationModel<TestRoute>
    let controllers: ControllerSet
    let navigation: UINavigationController
    let delegate: NavigationTreeDelegate<TestRoute>

    init(
      _ model: NavigationModel<TestRoute>, _ controllers: ControllerSet, animated: Bool,
      _ other: (any UINavigationControllerDelegate)? = nil
    ) {
      self.model = model
      self.controllers = controllers
      navigation = UINavigationController(rootViewController: controllers.controller("root"))
      navigation.delegate = other
      delegate = NavigationTreeDelegate(of: navigation, following: model, animated: animated) {
        controllers.controller("\($0.route)")
      }
    }

    var names: [String] {
      navigation.viewControllers.map { ($0 as? RecordingViewController)?.name ?? "?" }
    }

    func waitForNames(_ names: [String]) async throws { try await until { self.names == names } }

    /// Lets the observer of the path receive what was sent.
    func letPathsArrive() async throws {
      for _ in 0..<10 {
        await Task.yield()
        await Task.detached {}.value
      }
    }
  }
#endif
