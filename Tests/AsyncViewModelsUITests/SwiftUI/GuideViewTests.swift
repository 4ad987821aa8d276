#if canImport(SwiftUI) && canImport(Shop) && os(Linux)
  import AsyncViewModelsTesting
  import AsyncViewModelsUI
  import Foundation
  import SwiftUI
  import Testing

  @testable import Shop

  extension SwiftUITests {
    /// The view at the end of the guide from a view controller to an actor, beside the view controller.
    @MainActor
    @Suite("the SwiftUI screen of the guide", .timeLimit(.minutes(5)), .endsWaits)
    struct GuideViewTests {
      private struct Offline: Error {}

      private struct ScriptedCart: CartService {
        let loads = ScriptedCalls<Void, [CartItem]>()
        let saves = ScriptedCalls<[CartItem], [CartItem]>()

        func cart() async throws -> [CartItem] { try await loads(()) }
        func save(_ changes: [CartItem]) async throws -> [CartItem] { try await saves(changes) }
      }

      private let service = ScriptedCart()
      private let tea = Product(id: 1, name: "Tea", price: 400)

      @Test("the view and the view controller of one cart show the same items")
      func sideBySide() async throws {
        let model = CartViewModel(service: service, clock: VirtualClock())
        let controller = CartViewController(model: model)
        let controllerHost = ScreenHost(controller)
        try await withHost(CartScreen(model: model)) { host in
          try await until { host.isShowingProgress }
          try await service.loads.next().succeed([CartItem(product: tea, quantity: 1)])
          try await host.waitForText("Tea")
          try controllerHost.show()
          host.tap("+")
          try await until { host.texts == ["Tea", "−", "2", "+", "$8.00", "Remove", "$8.00", "Not saved"] }
          try await until { controller.bar.total == "$8.00" && controller.bar.status == "Not saved" }
          model.setQuantity(3, of: tea.id)
          try await host.waitForText("$12.00")
          try controllerHost.hide()
          let save = try await service.saves.next()
          #expect(save.request == [CartItem(product: tea, quantity: 3)])
          save.succeed([])
          try await host.waitForText("Your cart is empty.")
          try await until { controller.children.slot == .empty && controller.bar.status == nil }
        }
      }

      @Test("the view tries a failed load again, loads in the foreground, and saves when it disappears")
      func failure() async throws {
        let center = NotificationCenter()
        let model = CartViewModel(service: service, clock: VirtualClock())
        try await withHost(CartScreen(model: model, center: center)) { host in
          try await service.loads.next().fail(Offline())
          try await host.waitForText("The cart is not available.")
          try await until { host.alert?.title == "The cart could not be loaded." }
          host.tapAlert("Try Again")
          try await service.loads.next().succeed([CartItem(product: tea, quantity: 1)])
          try await host.waitForText("Tea")
          center.post(name: .appWillEnterForeground, object: nil)
          try await service.loads.next().succeed([CartItem(product: tea, quantity: 2)])
          try await host.waitForText("$8.00")
          host.tap("Remove")
          try await host.waitForText("Your cart is empty.")
          host.disappear()
          try await service.saves.next().succeed([])
        }
      }
    }
  }
#endif
