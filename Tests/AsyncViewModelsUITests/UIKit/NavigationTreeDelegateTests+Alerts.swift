#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsTesting
  import Testing
  import ToolkitTestSupport
  import UIKit

  @testable import AsyncViewModelsUI

  extension UIKitTests.NavigationTreeDelegateTests {
    @MainActor
    @Suite("alerts of the tree", .timeLimit(.minutes(5)), .endsWaits)
    struct Alerts {
      private enum Answer { case retry }

      private static let alert = AlertState<Answer>(
        "Retry?", buttons: [.init("Retry", action: .retry), .init("Cancel", role: .cancel)])

      /// The alert in front.
      private func front(_ screen: PresentingScreen) async throws -> UIAlertController {
        try await until {
          UIKitStandIn.advance()
          return screen.controller.lastPresented is UIAlertController
        }
        return try #require(screen.controller.lastPresented as? UIAlertController)
      }

      @Test("an alert is shown above the modals, and the tapped button is the answer")
      func alert() async throws {
        try await withScreen(presenting: [.cart]) { screen in
          for (title, answer) in [("Retry", Answer.retry), ("Cancel", nil)] {
            let caller = Task { [model = screen.model] in await model.choose(from: Self.alert) }
            let alert = try await front(screen)
            #expect((alert.title, alert.preferredStyle) == ("Retry?", .alert))
            UIKitStandIn.tap(title, in: alert)
            #expect(await caller.value == answer)
            await letChangesArrive()
            #expect(screen.shown == ["cart"])
          }
        }
      }

      @Test("a confirmation is an action sheet with a place")
      func confirmation() async throws {
        try await withScreen { screen in
          let caller = Task { [model = screen.model] in
            await model.choose(from: Self.alert, as: .confirmation)
          }
          let alert = try await front(screen)
          #expect(alert.preferredStyle == .actionSheet)
          UIKitStandIn.tap("Retry", in: alert)
          #expect(await caller.value == .retry)
        }
      }

      @Test("an alert that other code dismisses has no answer, and that of a cancelled caller closes")
      func noAnswer() async throws {
        try await withScreen { screen in
          let first = Task { [model = screen.model] in await model.choose(from: Self.alert) }
          try await front(screen).dismiss(animated: true)
          UIKitStandIn.advance()
          #expect(await first.value == nil)
          let second = Task { [model = screen.model] in await model.choose(from: Self.alert) }
          _ = try await front(screen)
          second.cancel()
          #expect(await second.value == nil)
          try await screen.waitFor([])
        }
      }

      @Test("an alert whose modal leaves below it is shown again, and its answer counts")
      func alertOfAModal() async throws {
        for isClosedByUser in [true, false] {
          try await withScreen(presenting: [.cart]) { screen in
            let caller = Task { [model = screen.model] in await model.choose(from: Self.alert) }
            _ = try await front(screen)
            if isClosedByUser {
              screen.controller.dismiss(animated: true)
            } else {
              screen.model.update { $0.dismissAll() }
            }
            try await until {
              UIKitStandIn.advance()
              return screen.controller.presentedViewController is UIAlertController
            }
            #expect(screen.model.tree.modals.isEmpty)
            UIKitStandIn.tap("Retry", in: try await front(screen))
            #expect(await caller.value == .retry)
          }
        }
      }

      @Test("a modal that is presented below an alert leaves the alert in front")
      func modalBelowAnAlert() async throws {
        for routes in [[], [TestRoute.cart]] {
          try await withScreen(presenting: routes) { screen in
            let caller = Task { [model = screen.model] in await model.choose(from: Self.alert) }
            _ = try await front(screen)
            screen.model.update { $0.present(.orders) }
            try await screen.waitFor(routes.map { "\($0)" } + ["orders", "Retry?"])
            UIKitStandIn.tap("Retry", in: try await front(screen))
            #expect(await caller.value == .retry)
            try await screen.waitFor(routes.map { "\($0)" } + ["orders"])
          }
        }
      }

      @Test("what is presented stays in the tree when the delegate is released, and the next one shows it")
      func nextDelegate() async throws {
        try await withScreen { screen in
          let model = screen.model
          let modal = Task { await model.present(ResultRoute<TestRoute, Int>(.cart)) }
          try await screen.waitFor(["cart"])
          let alert = Task { await model.choose(from: Self.alert) }
          _ = try await front(screen)
          screen.follow(animated: false)
          UIKitStandIn.tap("Retry", in: try await front(screen))
          #expect(await alert.value == .retry)
          model.update { $0.dismiss() }
          #expect(await modal.value == nil)
        }
      }

      @Test("alerts are shown one after the other")
      func alerts() async throws {
        try await withScreen { screen in
          let model = screen.model
          let callers = (1...3).map { _ in Task { await model.choose(from: Self.alert) } }
          for _ in callers { UIKitStandIn.tap("Retry", in: try await front(screen)) }
          for caller in callers { #expect(await caller.value == .retry) }
          try await screen.waitFor([])
        }
      }
    }
  }
#endif
