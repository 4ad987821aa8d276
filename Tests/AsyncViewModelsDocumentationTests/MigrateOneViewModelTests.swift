import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Checks what the guide claims about the view model after each step of the migration.
@Suite("Guide: migrate one view model", .timeLimit(.minutes(5)))
struct MigrateOneViewModelTests {
  enum Step: CaseIterable, Sendable { case before, streamed, onQueue, migrated }

  private struct Subject {
    let object: any AnyObject & Sendable
    let states: @Sendable () -> AsyncStream<OrdersState>
    /// Starts a load.
    let load: @Sendable () -> Void
  }

  private struct ScriptedOrders: LegacyOrders {
    let calls = ScriptedCalls<Void, [String]>()

    func orders(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) -> OrdersRequest {
      let token = calls((), completion: completion)
      return OrdersRequest { token.cancel() }
    }
  }

  private func subject(_ step: Step, _ service: ScriptedOrders) -> Subject {
    switch step {
    case .before:
      let model = Before.OrdersModel(service: service)
      let states = { @Sendable in
        AsyncStream(buffering: .unbounded) {
          model.bind($0)
          return .finished
        }
      }
      return Subject(object: model, states: states) { model.load() }
    case .streamed:
      let model = Streamed.OrdersModel(service: service)
      return Subject(object: model, states: { model.states() }) { model.load() }
    case .onQueue:
      let model = OnQueue.OrdersModel(service: service)
      return Subject(object: model, states: { model.states() }) { model.load() }
    case .migrated:
      let model = Migrated.OrdersModel(service: AsyncOrders(legacy: service))
      return Subject(object: model, states: { model.states() }) { _ = Task { await model.load() } }
    }
  }

  @Test("the states show a load, then its result; a failure keeps the old orders", arguments: Step.allCases)
  func load(step: Step) async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedOrders()
      let subject = subject(step, service)
      tracker.track(subject.object)
      let states = StateRecorder(subject.states())
      subject.load()
      let call = try await service.calls.next()
      try await states.first { $0.isLoading }
      call.succeed(["tea"])
      try await states.first { !$0.isLoading && $0.orders == ["tea"] }
      subject.load()
      try await service.calls.next().fail(URLError(.timedOut))
      try await states.first { $0.failure is URLError && $0.orders == ["tea"] }
    }
  }

  @Test("a second load cancels the first one", arguments: Step.allCases)
  func refresh(step: Step) async throws {
    let service = ScriptedOrders()
    let subject = subject(step, service)
    let states = StateRecorder(subject.states())
    subject.load()
    let first = try await service.calls.next()
    subject.load()
    await first.waitForCancellation()
    try await service.calls.next().succeed(["coffee"])
    try await states.first { $0.orders == ["coffee"] }
  }

  @Test("a bound closure, an observing screen and a view show the state of one model; the screen is released")
  @MainActor
  func screens() async throws {
    let service = ScriptedOrders()
    let model = Streamed.OrdersModel(service: service)
    let old = StateRecorder(AsyncStream(buffering: .latest) { model.bind($0) })
    try await LeakTracker.check { tracker in
      let screen = tracker.track(OrdersScreen())
      screen.show(model)
      let view = OrdersView(model)
      model.load()
      try await service.calls.next().succeed(["tea"])
      try await until { screen.shown.orders == ["tea"] }
      try await until { view.titles == ["tea"] }
    }
    try await old.first { $0.orders == ["tea"] }
  }

  @Test("the migrated load returns after the state has the result; cancelling its caller cancels the request")
  @MainActor
  func awaited() async throws {
    let service = ScriptedOrders()
    let model = Migrated.OrdersModel(service: AsyncOrders(legacy: service))
    var refreshes = 0
    let refresh = OrdersRefresh(model: model) { refreshes += 1 }
    let first = Task { await refresh.pull() }
    let answered = try await service.calls.next()
    #expect(refreshes == 0)
    answered.succeed(["tea"])
    await first.value
    #expect(refreshes == 1 && model.state.orders == ["tea"] && !model.state.isLoading)

    let second = Task { await refresh.pull() }
    let cancelled = try await service.calls.next()
    second.cancel()
    // The caller does not wait for the request, so the request can be cancelled later than the caller returns.
    await second.value
    #expect(model.state.orders == ["tea"] && !model.state.isLoading)
    await cancelled.waitForCancellation()
  }

  @Test("a model that still uses completion handlers can use an async service")
  func newService() async throws {
    let scripted = ScriptedOrders()
    let service = ClosureOrders(service: AsyncOrders(legacy: scripted))
    let model = Streamed.OrdersModel(service: service)
    let states = StateRecorder(model.states())
    model.load()
    try await scripted.calls.next().succeed(["tea"])
    try await states.first { $0.orders == ["tea"] }
  }

  @Test("a screen shows the results for typed text; the text is not read after the screen is released")
  @MainActor
  func search() async throws {
    let service = ScriptedSearchService<SearchHit>()
    let search = SearchViewModel(service: service, pause: .zero)
    let (typedText, typing) = AsyncStream<String>.makeStream()
    let ended = Gate()
    typing.onTermination = { _ in ended.open() }
    try await LeakTracker.check { tracker in
      let screen = tracker.track(SearchScreen())
      screen.show(search, typedText: typedText)
      typing.yield("t")
      let stale = try await service.calls.next()
      typing.yield("tea")
      await stale.waitForCancellation()
      let call = try await service.calls.next()
      #expect(call.request == "tea")
      let hit = SearchHit(id: 1, title: "green tea", detail: "")
      call.succeed([hit])
      try await until { screen.results.value == [hit] }
    }
    await ended.wait()
    #expect(search.state.query == "tea")
  }

  @Test("a page shows what another screen adds to the shared cart, and its own addition when the intent ends")
  func sharedCart() async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedDetailService<CatalogProduct>()
      let detail = tracker.track(
        ProductDetailViewModel(itemID: CatalogProduct.apple.id, source: .list, service: service))
      let cart = tracker.track(CartViewModel())
      let page = tracker.track(SharedCartPage.Page(detail: detail, cart: cart))
      let load = Task { await detail.load() }
      try await service.calls.next().succeed(.apple)
      await load.value
      try await until { page.state.product == .apple }
      try await page.add()
      #expect(page.state.itemCount == 1)
      try await cart.add(.pear, quantity: 2)
      try await until { page.state.itemCount == 3 }
    }
  }

  @Test("the code of this folder contains the examples of the guide, in the same order")
  func examples() throws {
    try expectExamples(
      of: Repository.article("MigrateOneViewModel"), in: "MigratedOrders.swift",
      "../../Sources/ViewModels/Dashboard/DashboardClosureViewModel.swift",
      "../../Sources/ViewModels/Dashboard/DashboardViewModel.swift", "SearchScreen.swift",
      "SharedCartPage.swift")
  }
}
