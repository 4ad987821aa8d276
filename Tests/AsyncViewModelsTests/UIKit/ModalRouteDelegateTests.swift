#if canImport(UIKit) && os(Linux)
  import AsyncViewModels
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("modal controllers of routes", .timeLimit(.minutes(5)), .endsWaits)
    struct ModalRouteDelegateTests {
      private let route = ObservableState<TestRoute?>(nil)

      /// The title of the controller that is presented when all transitions have ended.
      private func presented(by controller: UIViewController) -> String? {
        UIKitStandIn.advance()
        return controller.presentedViewController?.title
      }

      private func withPresenter(
        animated: Bool = true,
        _ body: @MainActor (RecordingViewController, ModalRouteDelegate<TestRoute>) async throws -> Void
      ) async throws {
        try await withControllers { controllers in
          let controller = controllers.controller("screen")
          controllers.show(controller)
          let modal = ModalRouteDelegate(from: controller, following: route, animated: animated) {
            controllers.titled("\($0)")
          }
          try await body(controller, modal)
          controller.dismiss(animated: false)
          UIKitStandIn.advance()
        }
      }

      @Test("the controller follows the route", arguments: [true, false])
      func follows(animated: Bool) async throws {
        route.send(.cart)
        try await withPresenter(animated: animated) { controller, modal in
          #expect(presented(by: controller) == "cart")
          for next in [TestRoute.orders, .profile] {
            route.send(next)
            try await until { presented(by: controller) == "\(next)" }
          }
          route.send(nil)
          try await until { presented(by: controller) == nil }
          withExtendedLifetime(modal) {}
        }
      }

      @Test("a swipe removes the route, and the same route can be shown again")
      func swipe() async throws {
        try await withPresenter { controller, modal in
          for _ in 1...2 {
            route.send(.cart)
            try await until { presented(by: controller) == "cart" }
            UIKitStandIn.swipeDown(try #require(controller.presentedViewController))
            UIKitStandIn.advance()
            #expect(route.value == nil)
            #expect(presented(by: controller) == nil)
          }
          withExtendedLifetime(modal) {}
        }
      }

      @Test("a route that is set during a swipe is shown after it")
      func routeDuringSwipe() async throws {
        route.send(.cart)
        try await withPresenter { controller, modal in
          #expect(presented(by: controller) == "cart")
          UIKitStandIn.swipeDown(try #require(controller.presentedViewController))
          route.send(.orders)
          modal.update()
          try await until { presented(by: controller) == "orders" }
          #expect(route.value == .orders)
        }
      }

      @Test(
        "a route that changes during a presentation is shown after it, and routes in between are not made")
      func routeDuringPresentation() async throws {
        route.send(.cart)
        try await withPresenter { controller, modal in
          route.send(.orders)
          modal.update()
          route.send(.profile)
          modal.update()
          try await until { presented(by: controller) == "profile" }
          #expect(route.value == .profile)
        }
      }

      @Test("a route that is set while a controller is made is presented instead of it")
      func routeWhileMaking() async throws {
        try await withControllers { [route] controllers in
          let controller = controllers.controller("screen")
          controllers.show(controller)
          let modal = ModalRouteDelegate(from: controller, following: route) { shown in
            if shown == .cart { route.send(.orders) }
            return controllers.titled("\(shown)")
          }
          route.send(.cart)
          try await until { presented(by: controller) == "orders" }
          #expect(!controllers.log.take().contains { $0.hasPrefix("cart.") })
          controller.dismiss(animated: false)
          UIKitStandIn.advance()
          withExtendedLifetime(modal) {}
        }
      }

      @Test("a controller that other code dismisses loses its route in the next update")
      func otherCode() async throws {
        route.send(.cart)
        try await withPresenter { controller, modal in
          #expect(presented(by: controller) == "cart")
          controller.dismiss(animated: true)
          UIKitStandIn.advance()
          modal.update()
          #expect(route.value == nil)
          #expect(presented(by: controller) == nil)
        }
      }

      @Test("a route is presented above a controller that other code presents")
      func above() async throws {
        try await withPresenter { controller, modal in
          let other = UIViewController(nibName: nil, bundle: nil)
          controller.present(other, animated: false)
          UIKitStandIn.advance()
          route.send(.cart)
          try await until { presented(by: other) == "cart" }
          withExtendedLifetime(modal) {}
        }
      }

      @Test("a route whose presentation UIKit refuses stays, and is shown in a later update")
      func refused() async throws {
        try await withPresenter { controller, modal in
          let window = try #require(controller.view.window)
          window.isHidden = true
          route.send(.cart)
          modal.update()
          #expect(presented(by: controller) == nil)
          window.isHidden = false
          modal.update()
          #expect(route.value == .cart)
          try await until { presented(by: controller) == "cart" }
        }
      }

      @Test("a controller that is not in a window presents when it has appeared")
      func notInWindow() async throws {
        route.send(.cart)
        try await withControllers { controllers in
          let controller = controllers.controller("screen")
          let made = Tally()
          let modal = ModalRouteDelegate(from: controller, following: route) {
            made.increment()
            return controllers.titled("\($0)")
          }
          #expect(presented(by: controller) == nil)
          #expect(made.count == 0)
          controllers.show(controller)
          modal.update()
          #expect(presented(by: controller) == "cart")
          controller.dismiss(animated: false)
          UIKitStandIn.advance()
        }
      }

      @Test("it keeps neither controller, and ends when it is released")
      func release() async throws {
        try await LeakTracker.check { tracker in
          try await withPresenter { controller, modal in
            tracker.track(modal)
            tracker.track(controller)
            route.send(.cart)
            try await until { presented(by: controller) == "cart" }
            tracker.track(try #require(controller.presentedViewController))
          }
        }
        try await until { route.observerCount == 0 }
      }
    }
  }

  extension ControllerSet {
    fileprivate func titled(_ title: String) -> UIViewController {
      let controller = controller(title)
      controller.title = title
      return controller
    }
  }
#endif
