#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("modal controllers of routes", .timeLimit(.minutes(5)), .endsWaits)
    struct ModalRouteDelegateTests {
      private let route = StateStore<TestRoute?>(nil)

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
            try await until { route.value == nil }
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

      @Test(
        "a controller that is closed by code loses its route, and the same route can be shown again",
        arguments: [true, false])
      func closedByCode(animated: Bool) async throws {
        try await withPresenter { controller, modal in
          for _ in 1...2 {
            route.send(.cart)
            try await until { presented(by: controller) == "cart" }
            // A button of the presented controller closes it.
            controller.presentedViewController?.dismiss(animated: animated)
            UIKitStandIn.advance()
            try await until { route.value == nil }
            #expect(presented(by: controller) == nil)
          }
          withExtendedLifetime(modal) {}
        }
      }

      @Test(
        "the same route that is set while its controller closes is shown again", arguments: [true, false])
      func sameRouteDuringTheEnd(notified: Bool) async throws {
        route.send(.cart)
        try await withPresenter { controller, modal in
          #expect(presented(by: controller) == "cart")
          let first = try #require(controller.presentedViewController)
          first.dismiss(animated: true)
          route.send(.cart)
          if notified { modal.update() }
          try await until {
            presented(by: controller) == "cart" && controller.presentedViewController !== first
          }
          #expect(route.value == .cart)
        }
      }

      @Test("a route that is set again while it is shown stays shown, and a swipe removes it")
      func setAgain() async throws {
        route.send(.cart)
        try await withPresenter { controller, modal in
          #expect(presented(by: controller) == "cart")
          let first = try #require(controller.presentedViewController)
          route.send(.cart)
          modal.update()
          #expect(presented(by: controller) == "cart")
          #expect(controller.presentedViewController === first)
          UIKitStandIn.swipeDown(first)
          UIKitStandIn.advance()
          try await until { route.value == nil }
        }
      }

      private final class Sheets: NSObject, UIAdaptivePresentationControllerDelegate {
        private(set) var dismissed = 0

        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
          dismissed += 1
        }
      }

      @Test("a controller keeps the presentation delegate that the app has set")
      func otherDelegate() async throws {
        try await withControllers { [route] controllers in
          let (controller, sheets) = (controllers.controller("screen"), Sheets())
          controllers.show(controller)
          let modal = ModalRouteDelegate(from: controller, following: route) {
            let sheet = controllers.titled("\($0)")
            sheet.presentationController?.delegate = sheets
            return sheet
          }
          route.send(.cart)
          try await until { presented(by: controller) == "cart" }
          UIKitStandIn.swipeDown(try #require(controller.presentedViewController))
          UIKitStandIn.advance()
          #expect(sheets.dismissed == 1)
          try await until { route.value == nil }
          withExtendedLifetime(modal) {}
        }
      }

      @Test("an alert can be the controller of a route, and a tap removes the route")
      func alert() async throws {
        try await withControllers { [route] controllers in
          let controller = controllers.controller("screen")
          controllers.show(controller)
          let modal = ModalRouteDelegate(from: controller, following: route) {
            let alert = UIAlertController(title: "\($0)", message: nil, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "OK", style: .default))
            return alert
          }
          for _ in 1...2 {
            route.send(.cart)
            try await until { presented(by: controller) == "cart" }
            UIKitStandIn.tap("OK", in: try #require(controller.presentedViewController as? UIAlertController))
            try await until { route.value == nil }
          }
          withExtendedLifetime(modal) {}
        }
      }

      @Test("a controller that a full-screen controller covers keeps its route")
      func covered() async throws {
        route.send(.cart)
        try await withPresenter { controller, modal in
          #expect(presented(by: controller) == "cart")
          let sheet = try #require(controller.presentedViewController)
          let cover = UIViewController(nibName: nil, bundle: nil)
          cover.modalPresentationStyle = .fullScreen
          sheet.present(cover, animated: true)
          UIKitStandIn.advance()
          for _ in 0..<10 { await Task.detached {}.value }
          #expect(route.value == .cart)
          cover.dismiss(animated: true)
          UIKitStandIn.advance()
          for _ in 0..<10 { await Task.detached {}.value }
          #expect(route.value == .cart)
          sheet.dismiss(animated: true)
          UIKitStandIn.advance()
          try await until { route.value == nil }
          withExtendedLifetime(modal) {}
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
