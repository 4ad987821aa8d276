import AsyncViewModels
import AsyncViewModelsTesting
import Domain
import Services
import Testing

@testable import Features

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProfileViewModelTests {
  /// A shop whose calls wait at gates, and ignore cancellation.
  private struct Account: Shop {
    let saves = Gate()
    let loads = Gate()

    func products(page: Int) async throws -> Page<Product> {
      await loads.wait()
      return Page([Product(id: page, name: "Product \(page)")], next: nil)
    }

    func orders() async throws -> [Order] {
      await loads.wait()
      return [Order(id: loads.arrivalCount, parts: [])]
    }

    func save(_ profile: Profile) async throws { await saves.wait() }
  }

  private let account = Account()

  private func makeModel() -> ProfileViewModel { ProfileViewModel(Profile(name: "Ada"), shop: account) }

  @Test("a save returns when the renamed profile is saved")
  func save() async {
    let model = makeModel()
    model.rename("Grace")
    let save = Task { await model.save() }
    await account.saves.waitForArrivals(1)
    #expect(model.isSaving && !model.isSaved)
    account.saves.open()
    await save.value
    #expect(!model.isSaving && model.isSaved)
    #expect(model.profile.name == "Grace")
  }

  @Test("a newer save replaces an older one, and both callers wait for the newer save")
  func newerSave() async {
    let model = makeModel()
    model.rename("Grace")
    let first = Task { await model.save() }
    await account.saves.waitForArrivals(1)
    model.rename("Joan")
    let second = Task { await model.save() }
    await account.saves.waitForArrivals(2)
    #expect(model.isSaving && !model.isSaved)
    account.saves.open()
    await first.value
    #expect(!model.isSaving && model.isSaved)
    await second.value
  }

  @Test("save() returns at once if its task or the save in progress is cancelled", arguments: [true, false])
  func cancelledSave(byItsTask: Bool) async {
    let model = makeModel()
    model.rename("Grace")
    let save = Task { await model.save() }
    await account.saves.waitForArrivals(1)
    if byItsTask { save.cancel() } else { model.cancelSave() }
    await save.value
    #expect(!model.isSaving && !model.isSaved)
    account.saves.open()
    await model.save()
    #expect(model.isSaved)
  }

  @Test("loads at the same time share one call, and a cancelled caller does not stop the others")
  func load() async {
    let model = makeModel()
    let loads = (1...3).map { _ in Task { await model.load() } }
    await account.loads.waitForArrivals(1)
    loads[0].cancel()
    await loads[0].value
    #expect(model.orders.isEmpty)
    account.loads.open()
    await loads[1].value
    await loads[2].value
    #expect(model.orders.map(\.id) == [1])
  }

  @Test("a prefetch continues after a caller that joined it is cancelled")
  func prefetch() async {
    let model = makeModel()
    model.prefetchOrders()
    await account.loads.waitForArrivals(1)
    let leaving = Task { await model.load() }
    leaving.cancel()
    await leaving.value
    account.loads.open()
    await model.load()
    #expect(!model.orders.isEmpty)
  }

  @Test("a count grows after each page, and is 0 again if its task is cancelled", arguments: [true, false])
  func steps(isCancelled: Bool) async {
    let model = makeModel()
    let count = Task { await model.count(pages: 1...3) }
    await account.loads.waitForArrivals(1)
    account.loads.release()
    await account.loads.waitForArrivals(2)
    #expect(model.productCount == 1)
    if isCancelled { count.cancel() } else { account.loads.open() }
    await count.value
    #expect(model.productCount == (isCancelled ? 0 : 3))
    account.loads.open()
  }

  @Test("simultaneous requests for the same page share one call")
  func products() async throws {
    let model = makeModel()
    let requests = (1...3).map { _ in Task { try await model.products(page: 7) } }
    while model.pages.callerCount(for: 7) < 3 {
      try Task.checkCancellation()
      await Task.yield()
    }
    await account.loads.waitForArrivals(1)
    #expect(account.loads.arrivalCount == 1)
    account.loads.open()
    for request in requests { #expect(try await request.value.map(\.id) == [7]) }
    model.prefetch(page: 7)
    while model.productCount != 1 { await Task.yield() }
  }

  @Test("a model with running work is released")
  func release() async throws {
    try await LeakTracker.check { tracker in
      let model = tracker.track(makeModel())
      model.prefetchOrders()
      model.prefetch(page: 1)
      await account.loads.waitForArrivals(1)
      let save = Task { await model.save() }
      await account.saves.waitForArrivals(1)
      save.cancel()
      await save.value
      account.loads.open()
    }
    account.saves.open()
  }

  @Test("an observation shows the latest count, and does not keep the view model alive")
  func observation() async throws {
    let counts = StateStore(0)
    try await LeakTracker.check { tracker in
      let model = tracker.track(makeModel())
      model.follow(counts.states())
      counts.send(3)
      while model.productCount != 3 { await Task.yield() }
    }
    while counts.observerCount > 0 { await Task.yield() }
  }
}
