import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

@testable import Shop

@MainActor
@Suite("the screen of the cart", .timeLimit(.minutes(1)))
struct CartScreenTests {
  let shop = Shop()

  @Test("a load shows a spinner, and then the rows and the total")
  func load() async throws {
    try shop.show()
    try await until { shop.isSpinning }
    try await shop.service.loads.next().succeed([.tea(2), .milk(1)])
    try await until { !shop.isSpinning && shop.quantities == [2, 1] && shop.total == "$9.50" }
    #expect(shop.rows.map(\.price) == ["$8.00", "$1.50"])
    #expect(shop.message == nil)
  }

  @Test("an empty cart has a message")
  func emptyCart() async throws {
    try await shop.open([])
    try await until { shop.message == "Your cart is empty." }
  }

  @Test("a failed load shows an alert, which can try again")
  func failedLoad() async throws {
    try shop.show()
    try await shop.service.loads.next().fail(Offline())
    try await until { shop.alert?.title == "The cart could not be loaded." }
    try await until { shop.message == "The cart is not available." }
    shop.tap("Try Again")
    try await shop.service.loads.next().succeed([.tea(1)])
    try await until { shop.quantities == [1] }
    #expect(shop.message == nil)
  }

  @Test("the screen loads again when it is refreshed and when the app enters the foreground")
  func reload() async throws {
    try await shop.open([.tea(1)])
    shop.pullToRefresh()
    try await shop.service.loads.next().succeed([.tea(2)])
    try await until { shop.quantities == [2] }
    shop.enterForeground()
    try await shop.service.loads.next().succeed([.tea(3)])
    try await until { shop.quantities == [3] }
  }

  @Test("a change is shown before the service answers")
  func optimisticChange() async throws {
    try await shop.open([.tea(1), .milk(1)])
    shop.change(.tea, to: 3)
    try await until { shop.total == "$13.50" }
    shop.tapRemove(.milk)
    try await until { shop.quantities == [3] }
    shop.tapAdd(.milk)
    try await until { shop.quantities == [3, 1] && shop.status == "Not saved" }
  }

  @Test("leaving the screen saves the changes at once")
  func leaving() async throws {
    try await shop.open([.tea(1), .milk(1)])
    shop.change(.tea, to: 2)
    shop.tapRemove(.milk)
    try shop.leave()
    let save = try await shop.service.saves.next()
    #expect(save.request == [.tea(2), .milk(0)])
    try await until { shop.status == "Saving…" }
    save.succeed([.tea(2)])
    try await until { shop.status == nil && shop.quantities == [2] }
  }

  @Test("a failed save keeps the change, and can be tried again")
  func failedSave() async throws {
    try await failSave()
    try await until { shop.quantities == [5] }
    shop.tap("Try Again")
    let save = try await shop.service.saves.next()
    #expect(save.request == [.tea(5)])
    save.succeed([.tea(4)])
    try await until { shop.quantities == [4] && shop.status == nil }
  }

  @Test("a failed save can be undone, which loads the cart again")
  func undoneSave() async throws {
    try await failSave()
    shop.tap("Undo")
    try await until { shop.quantities == [1] && shop.status == nil }
    try await shop.service.loads.next().succeed([.tea(2)])
    try await until { shop.quantities == [2] }
  }

  @Test("the badge shows the number of units")
  func badge() async throws {
    try await shop.open([.tea(2), .milk(1)])
    try await until { shop.badge == 3 }
    shop.tapAdd(.milk)
    try await until { shop.badge == 4 }
  }

  private func failSave() async throws {
    try await shop.open([.tea(1)])
    shop.change(.tea, to: 5)
    try shop.leave()
    try await shop.service.saves.next().fail(Offline())
    try await until { shop.alert?.title == "The cart could not be saved." }
    try await until { shop.status == "Not saved" }
  }
}
