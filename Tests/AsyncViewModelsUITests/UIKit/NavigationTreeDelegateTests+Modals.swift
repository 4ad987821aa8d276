#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsTesting
  import Testing
  import ToolkitTestSupport
  import UIKit

  @testable import AsyncViewModelsUI

  extension UIKitTests.NavigationTreeDelegateTests {
    @MainActor
    @Suite("modals", .timeLimit(.minutes(5)), .endsWaits)
    struct Modals {
      @Test("the modals of the tree are presented in their order", arguments: [true, false])
      func follows(animated: Bool) async throws {
        try await withScreen(presenting: [.cart, .orders], animated: animated) { screen in
          #expect(screen.shown == ["cart", "orders"])
          for next in [TestRoute.cart, .profile] {
            screen.model.update {
              $0.dismissAll()
              $0.present(next)
            }
            try await screen.waitFor(["\(next)"])
          }
          screen.model.update { $0.dismiss() }
          try await screen.waitFor([])
        }
      }

      @Test("a modal that leaves from below others takes them with it, and later ones are presented")
      func replaced() async throws {
        try await withScreen(presenting: [.cart, .orders, .profile]) { screen in
          let cart = screen.controller.presentedViewController
          screen.model.update {
            $0.dismiss()
            $0.dismiss()
            $0.present(.home)
          }
          try await screen.waitFor(["cart", "home"])
          #expect(screen.controller.presentedViewController === cart)
        }
      }

      @Test(
        "the style of a modal is that of its presentation", arguments: [ModalStyle.sheet, .cover, .popover])
      func style(style: ModalStyle) async throws {
        try await withScreen { screen in
          screen.model.update { $0.present(.cart, as: style) }
          try await screen.waitFor(["cart"])
          let presented = try #require(screen.controller.presentedViewController)
          switch style {
          case .sheet: #expect(presented.modalPresentationStyle == .automatic)
          case .cover: #expect(presented.modalPresentationStyle == .fullScreen)
          case .popover:
            #expect(presented.modalPresentationStyle == .popover)
            let popover = try #require(presented.popoverPresentationController)
            #expect(popover.sourceView === screen.controller.view)
            #expect(popover.sourceRect.midX == screen.controller.view.bounds.midX)
          }
        }
      }

      @Test("a popover keeps the place that the app has given it")
      func popoverPlace() async throws {
        try await withScreen { screen in
          let place = UIView()
          screen.onMake = { controller in
            controller.modalPresentationStyle = .popover
            controller.popoverPresentationController?.sourceView = place
          }
          screen.model.update { $0.present(.cart, as: .popover) }
          try await screen.waitFor(["cart"])
          let popover = screen.controller.presentedViewController?.popoverPresentationController
          #expect(popover?.sourceView === place)

          screen.model.update { $0.dismiss() }
          try await screen.waitFor([])
          let item = UIBarButtonItem()
          screen.onMake = { controller in
            controller.modalPresentationStyle = .popover
            controller.popoverPresentationController?.barButtonItem = item
          }
          screen.model.update { $0.present(.cart, as: .popover) }
          try await screen.waitFor(["cart"])
          let next = screen.controller.presentedViewController?.popoverPresentationController
          #expect(next?.sourceView == nil && next?.barButtonItem === item)
        }
      }

      @Test("a swipe removes the modal with those above it, and the same route can be presented again")
      func swipe() async throws {
        try await withScreen { screen in
          for _ in 1...2 {
            screen.model.update { $0.present(.cart) }
            try await screen.waitFor(["cart"])
            UIKitStandIn.swipeDown(try #require(screen.controller.presentedViewController))
            UIKitStandIn.advance()
            try await until { screen.model.tree.modals.isEmpty }
            #expect(screen.shown == [])
          }
        }
      }

      @Test(
        "the caller of a modal that the user closes gets no result, and that of a screen that finishes does")
      func results() async throws {
        try await withScreen { screen in
          let request = ResultRoute<TestRoute, Int>(.cart)
          let model = screen.model
          let first = Task { await model.present(request) }
          try await screen.waitFor(["cart"])
          UIKitStandIn.swipeDown(try #require(screen.controller.presentedViewController))
          UIKitStandIn.advance()
          #expect(await first.value == nil)
          let second = Task { await model.present(request) }
          try await screen.waitFor(["cart"])
          #expect(model.finish(request, of: try #require(screen.made.last), with: 3))
          #expect(await second.value == 3)
          try await screen.waitFor([])
        }
      }

      @Test("a modal that is presented during a swipe is shown after it, also if its route is the same")
      func duringSwipe() async throws {
        for next in [TestRoute.cart, .orders] {
          try await withScreen(presenting: [.cart]) { screen in
            let first = try #require(screen.controller.presentedViewController)
            UIKitStandIn.swipeDown(first)
            screen.model.update { $0.dismiss() }
            screen.model.update { $0.present(next) }
            try await until {
              screen.shown == ["\(next)"] && screen.controller.presentedViewController !== first
            }
            #expect(screen.model.tree.modals.map(\.content.root) == [next])
          }
        }
      }

      @Test("modals that change during a presentation are shown after it, and those in between are not made")
      func duringPresentation() async throws {
        try await withScreen { screen in
          for route in [TestRoute.cart, .orders, .profile] {
            screen.model.update {
              $0.dismissAll()
              $0.present(route)
            }
            if route == .cart { try await until { screen.controller.presentedViewController != nil } }
          }
          try await screen.waitFor(["profile"])
          #expect(screen.made.map(\.route) == [.cart, .profile])
        }
      }

      @Test("a tree that changes while a controller is made is shown instead of it")
      func whileMaking() async throws {
        try await withScreen { screen in
          screen.onMake = { [model = screen.model] controller in
            guard controller.title == "cart" else { return }
            model.update {
              $0.dismiss()
              $0.present(.orders)
            }
          }
          screen.model.update { $0.present(.cart) }
          try await screen.waitFor(["orders"])
          #expect(!screen.controllers.log.take().contains { $0.hasPrefix("cart.") })
        }
      }

      @Test(
        "a modal that other code dismisses leaves the tree, with those above it", arguments: [true, false])
      func otherCode(animated: Bool) async throws {
        try await withScreen(presenting: [.cart, .orders]) { screen in
          screen.controller.dismiss(animated: animated)
          UIKitStandIn.advance()
          try await until { screen.model.tree.modals.isEmpty }
          #expect(screen.shown == [])
        }
        try await withScreen(presenting: [.cart, .orders]) { screen in
          // A button of the front controller closes it.
          screen.controller.lastPresented.dismiss(animated: animated)
          UIKitStandIn.advance()
          try await until { screen.model.tree.modals.count == 1 }
          #expect(screen.shown == ["cart"])
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
        try await withScreen { screen in
          let sheets = Sheets()
          screen.onMake = { $0.presentationController?.delegate = sheets }
          screen.model.update { $0.present(.cart) }
          try await screen.waitFor(["cart"])
          UIKitStandIn.swipeDown(try #require(screen.controller.presentedViewController))
          UIKitStandIn.advance()
          #expect(sheets.dismissed == 1)
          try await until { screen.model.tree.modals.isEmpty }
        }
      }

      @Test("a modal that a full-screen controller covers stays")
      func covered() async throws {
        try await withScreen(presenting: [.cart]) { screen in
          let sheet = try #require(screen.controller.presentedViewController)
          let cover = UIViewController(nibName: nil, bundle: nil)
          cover.modalPresentationStyle = .fullScreen
          sheet.present(cover, animated: true)
          UIKitStandIn.advance()
          await letChangesArrive()
          #expect(screen.model.tree.modals.count == 1)
          cover.dismiss(animated: true)
          UIKitStandIn.advance()
          await letChangesArrive()
          #expect(screen.model.tree.modals.count == 1)
        }
      }

      @Test("a modal is presented above a controller that other code presents")
      func above() async throws {
        try await withScreen { screen in
          let other = UIViewController(nibName: nil, bundle: nil)
          screen.controller.present(other, animated: false)
          UIKitStandIn.advance()
          screen.model.update { $0.present(.cart) }
          try await until {
            UIKitStandIn.advance()
            return other.presentedViewController?.title == "cart"
          }
        }
      }

      @Test("a modal that UIKit refuses to present stays, and is shown after a later change")
      func refused() async throws {
        try await withScreen { screen in
          screen.controllers.window.isHidden = true
          screen.model.update { $0.present(.cart) }
          await letChangesArrive()
          #expect(screen.shown == [])
          #expect(screen.model.tree.modals.count == 1)
          screen.controllers.window.isHidden = false
          screen.model.update { $0.front.push(.orders) }
          try await screen.waitFor(["cart"])
        }
      }

      @Test("a controller that is not in a window presents when it is shown")
      func notInWindow() async throws {
        try await withScreen(presenting: [.cart], shown: false) { screen in
          await letChangesArrive()
          #expect(screen.made.isEmpty)
          screen.controllers.show(screen.controller)
          screen.delegate.update()
          try await screen.waitFor(["cart"])
        }
      }

      @Test("a container presents by itself when it is shown")
      func containerNotInWindow() async throws {
        try await withControllers { controllers in
          let model = NavigationModel<TestRoute>()
          model.update { $0.present(.cart) }
          let navigation = UINavigationController()
          let delegate = NavigationTreeDelegate(of: navigation, following: model) {
            controllers.controller("\($0.route)")
          }
          controllers.show(navigation)
          try await until {
            UIKitStandIn.advance()
            return (navigation.presentedViewController as? RecordingViewController)?.name == "cart"
          }
          navigation.dismiss(animated: false)
          UIKitStandIn.advance()
          withExtendedLifetime(delegate) {}
        }
      }

      @Test("a modal may be a navigation controller, which shows the path of the modal")
      func stack() async throws {
        try await withScreen { screen in
          screen.wrap = { UINavigationController(rootViewController: $0) }
          screen.model.update { $0.present(.stack(.cart, path: RoutePath([.orders]))) }
          try await until {
            UIKitStandIn.advance()
            return screen.controller.presentedViewController is UINavigationController
          }
          let navigation = try #require(screen.controller.presentedViewController as? UINavigationController)
          #expect(navigation.viewControllers.map(\.title) == ["cart", "orders"])
          screen.model.push(.profile)
          try await until { navigation.viewControllers.map(\.title) == ["cart", "orders", "profile"] }
          UIKitStandIn.advance()
          navigation.popToRootViewController(animated: true)
          UIKitStandIn.advance()
          try await until { screen.model.tree.front.routes.isEmpty }
          #expect(screen.model.tree.modals.count == 1)
        }
      }

      @Test("it keeps no controller, and ends when it is released")
      func release() async throws {
        let model = NavigationModel<TestRoute>()
        try await withScreen(model) { screen in
          screen.controllers.tracker.track(screen.delegate)
          model.update { $0.present(.cart) }
          try await screen.waitFor(["cart"])
        }
        try await until { model.store.observerCount == 0 }
      }
    }
  }
#endif
