#if canImport(UIKit) && os(Linux)
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("alerts", .timeLimit(.minutes(5)), .endsWaits)
    struct AlertTests {
      private enum Action { case retry, delete }

      private let alert = AlertState<Action>(
        "No connection", message: "Try again?",
        buttons: [
          .init("Retry", action: .retry), .init("Delete", role: .destructive, action: .delete),
          .init("Cancel", role: .cancel),
        ])

      @Test("the action of the tapped button is returned, and the alert is gone")
      func choice() async throws {
        try await withController { controller, _ in
          for (title, action) in [("Retry", Action.retry), ("Delete", .delete), ("Cancel", nil)] {
            let choice = Task { await controller.choose(from: alert) }
            let shown = try await presented(by: controller)
            #expect((shown.title, shown.message) == ("No connection", "Try again?"))
            #expect(shown.actions.map(\.style) == [.default, .destructive, .cancel])
            UIKitStandIn.tap(title, in: shown)
            #expect(await choice.value == action)
            #expect(controller.presentedViewController == nil)
          }
        }
      }

      @Test("alerts of an event channel are shown one after the other")
      func queue() async throws {
        try await withController { controller, _ in
          let alerts = EventChannel<AlertState<Action>>()
          let chosen = Notes()
          controller.bindings.observe(alerts.stream(), on: controller) { [alert] controller, shown in
            chosen.add(shown.title)
            if await controller.choose(from: shown) == .retry { alerts.send(alert) }
          }
          alerts.send(AlertState("first", buttons: [.init("Retry", action: .retry)]))
          alerts.send(AlertState("second", buttons: [.init("OK")]))
          UIKitStandIn.tap("Retry", in: try await presented(by: controller, "first"))
          UIKitStandIn.tap("OK", in: try await presented(by: controller, "second"))
          UIKitStandIn.tap("Cancel", in: try await presented(by: controller, "No connection"))
          #expect(chosen.all == ["first", "second", "No connection"])
        }
      }

      @Test("a cancellation dismisses the alert")
      func cancellation() async throws {
        try await withController { controller, _ in
          let choice = Task { await controller.choose(from: alert) }
          _ = try await presented(by: controller)
          choice.cancel()
          #expect(await choice.value == nil)
          UIKitStandIn.advance()
          #expect(controller.presentedViewController == nil)
          let late = Task { await controller.choose(from: alert) }
          late.cancel()
          #expect(await late.value == nil)
          #expect(controller.presentedViewController == nil)
        }
      }

      @Test("an alert that other code dismisses, or that cannot be shown, has no choice")
      func noChoice() async throws {
        try await withController { controller, controllers in
          let choice = Task { await controller.choose(from: alert) }
          _ = try await presented(by: controller)
          controller.dismiss(animated: false)
          UIKitStandIn.advance()
          #expect(await choice.value == nil)
          #expect(await controllers.controller("hidden").choose(from: alert) == nil)
        }
      }

      @Test("a controller that already presents shows the alert above")
      func above() async throws {
        try await withController { controller, controllers in
          let sheet = controllers.controller("sheet")
          controller.present(sheet, animated: false)
          UIKitStandIn.advance()
          let choice = Task { await controller.choose(from: alert) }
          UIKitStandIn.tap("Retry", in: try await presented(by: sheet))
          #expect(await choice.value == .retry)
          controller.dismiss(animated: false)
          UIKitStandIn.advance()
        }
      }

      @Test("an alert waits for a sheet that closes", arguments: [true, false])
      func whileASheetCloses(ofTheSheet: Bool) async throws {
        try await withController { controller, controllers in
          let sheet = controllers.controller("sheet")
          controller.present(sheet, animated: false)
          UIKitStandIn.advance()
          sheet.dismiss(animated: true)
          let choice = Task { await (ofTheSheet ? sheet : controller).choose(from: alert) }
          for _ in 0..<10 { await Task.detached {}.value }
          #expect(controller.presentedViewController === sheet)
          UIKitStandIn.advance()
          UIKitStandIn.tap("Retry", in: try await presented(by: controller))
          #expect(await choice.value == .retry)
        }
      }

      @Test("an alert waits for a presentation, and for another alert")
      func duringAPresentation() async throws {
        try await withController { controller, controllers in
          let sheet = controllers.controller("sheet")
          controller.present(sheet, animated: true)
          let choices = ["first", "second"].map { title in
            Task { await controller.choose(from: AlertState(title, buttons: [.init("OK", action: title)])) }
          }
          for _ in 0..<10 { await Task.detached {}.value }
          #expect(sheet.presentedViewController == nil)
          UIKitStandIn.advance()
          let first = try await presented(by: sheet, "first")
          UIKitStandIn.tap("OK", in: try await presented(by: first, "second"))
          UIKitStandIn.tap("OK", in: first)
          for (choice, title) in zip(choices, ["first", "second"]) { #expect(await choice.value == title) }
          controller.dismiss(animated: false)
          UIKitStandIn.advance()
        }
      }

      @Test("an alert waits for a transition whose coordinator takes no completion")
      func withoutACompletion() async throws {
        try await withController { controller, controllers in
          let sheet = controllers.controller("sheet")
          controller.present(sheet, animated: false)
          UIKitStandIn.advance()
          sheet.dismiss(animated: true)
          UIKitStandIn.refusesAlongsideAnimations = true
          defer { UIKitStandIn.refusesAlongsideAnimations = false }
          let choice = Task { await controller.choose(from: alert) }
          for _ in 0..<10 { await Task.detached {}.value }
          UIKitStandIn.advance()
          UIKitStandIn.tap("Retry", in: try await presented(by: controller))
          #expect(await choice.value == .retry)
        }
      }

      @Test("an alert whose task is cancelled while it waits is not shown")
      func cancelledWhileItWaits() async throws {
        try await withController { controller, controllers in
          let sheet = controllers.controller("sheet")
          controller.present(sheet, animated: true)
          let choice = Task { await controller.choose(from: alert) }
          for _ in 0..<10 { await Task.detached {}.value }
          choice.cancel()
          #expect(await choice.value == nil)
          UIKitStandIn.advance()
          for _ in 0..<10 { await Task.detached {}.value }
          #expect(sheet.presentedViewController == nil)
          controller.dismiss(animated: false)
          UIKitStandIn.advance()
        }
      }

      private func presented(
        by controller: UIViewController, _ title: String = "No connection"
      ) async throws -> UIAlertController {
        try await until { controller.presentedViewController?.title == title }
        UIKitStandIn.advance()
        return try #require(controller.presentedViewController as? UIAlertController)
      }

      private func withController(
        _ body: @MainActor (RecordingViewController, ControllerSet) async throws -> Void
      ) async throws {
        try await withControllers { controllers in
          let controller = controllers.controller("screen")
          controllers.show(controller)
          try await body(controller, controllers)
        }
      }
    }
  }
#endif
