import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// How a list of products follows a feed, in every stage: which updates it shows, and which it ignores.
@Suite("List: live updates", .timeLimit(.minutes(5)), .endsWaits)
struct ListFeedContract {
  private let feed = ScriptedProductFeed()
  private let service = ScriptedPageService<CatalogProduct>()

  @Test("a list follows all products from before its first request on", arguments: ContractStage.inProcess)
  func begin(stage: ContractStage) async throws {
    try await LeakTracker.check { tracker in
      let service = FollowedPages(feed: feed)
      let model = stage.makeList(service: service, feed: feed)
      tracker.track(model.subject)
      await model.loadNextPage()
      await model.settle()
      #expect(feed.followed == [], "no request, no reader")
      #expect(!model.state.following.isActive)
      await model.load()
      await model.settle()
      #expect(model.state.items.map(\.stock) == [1], "the number of readers at the time of the request")
      #expect(feed.followed == [nil])
      #expect(model.state.following.isActive)
      await model.refresh()
      await model.settle()
      #expect(feed.followed == [nil], "a list that follows does not follow again")
    }
  }

  @Test("an update during a load changes the answer", arguments: ContractStage.inProcess)
  func duringLoad(stage: ContractStage) async throws {
    try await withList(stage) { model, states in
      await model.load()
      let call = try await service.calls.next()
      await feed.publish(.price(1, 80))
      await feed.publish(ProductUpdate(product: 1, stock: 4))
      await feed.publish(.price(1, 70))
      call.succeed(.products(.apple, .pear))
      let expected = [CatalogProduct.apple.costing(70).applying(ProductUpdate(product: 1, stock: 4)), .pear]
      try await states.first { $0.items == expected }
      await model.settle()
      #expect(model.state.items == expected)
    }
  }

  @Test(
    "an update of a product that the list shows is shown at once, and no other update publishes a state",
    arguments: ContractStage.inProcess)
  func shown(stage: ContractStage) async throws {
    try await withLoadedList(stage) { model, states in
      let count = states.states.count
      await feed.publish(.price(3, 5))
      await feed.publish(.price(99, 5))
      await feed.publish(.price(2, 200))
      try await states.first { $0.items == [.apple, .pear.costing(200)] }
      #expect(states.states.count == count + 1)
      #expect(model.state.content.value == [.apple, .pear.costing(200)])
      await feed.publish(.price(2, 900, .jpy))
      try await states.first { $0.items.last?.price == Money(minorUnits: 900, currency: .jpy) }
    }
  }

  @Test("updates before and during the load of a later page are not lost", arguments: ContractStage.inProcess)
  func laterPage(stage: ContractStage) async throws {
    try await withLoadedList(stage) { model, states in
      // The service answers a later request with this price, or a newer one.
      await feed.publish(.price(3, 2))
      // Behind a bridge, the list can receive an update after `publish` has returned, but in order.
      await feed.publish(.price(1, 95))
      try await states.first { $0.items == [.apple.costing(95), .pear] }
      await model.loadNextPage()
      let call = try await service.calls.next()
      try await states.first { $0.isLoadingNextPage }
      let count = states.states.count
      await feed.publish(ProductUpdate(product: 3, stock: 7))
      await feed.publish(.price(1, 90))
      try await states.first { $0.items == [.apple.costing(90), .pear] }
      #expect(states.states.count == count + 1, "the list does not show product 3 yet")
      call.succeed(.products(.nail.costing(3), .apple, index: 1, isLast: true))
      let nail = CatalogProduct.nail.costing(3).applying(ProductUpdate(product: 3, stock: 7))
      try await states.first { $0.items == [.apple.costing(90), .pear, nail] }
      await model.settle()
      #expect(model.state.items == [.apple.costing(90), .pear, nail])
    }
  }

  @Test("a refresh never brings back an older price", arguments: ContractStage.inProcess)
  func duringRefresh(stage: ContractStage) async throws {
    try await withLoadedList(stage) { model, states in
      await model.refresh()
      let call = try await service.calls.next()
      await feed.publish(.price(1, 80))
      try await states.first { $0.items == [.apple.costing(80), .pear] }
      call.succeed(.products(.apple, .pear, isLast: true))
      try await states.first { !$0.hasMore && !$0.items.isEmpty }
      #expect(model.state.items == [.apple.costing(80), .pear])
      let prices = states.states.compactMap { $0.items.first?.price.minorUnits }
      #expect(prices == prices.sorted(by: >), "\(prices)")
    }
  }

  @Test(
    "an update before a request does not change its answer",
    arguments: ContractStage.inProcess, EarlierUpdate.allCases)
  func beforeRequest(stage: ContractStage, earlier: EarlierUpdate) async throws {
    try await withLoadedList(stage) { model, states in
      if earlier != .withoutRequest { await model.refresh() }
      let replaced = earlier == .withoutRequest ? nil : try await service.calls.next()
      await feed.publish(.price(1, 80))
      try await states.first { $0.items == [.apple.costing(80), .pear] }
      switch earlier {
      case .withoutRequest, .duringReplacedRequest: break
      case .duringAnsweredRequest:
        replaced?.succeed(.products(.apple, .pear))
        await model.settle()
      case .duringCancelledRequest: await model.cancel()
      }
      #expect(model.state.items == [.apple.costing(80), .pear])
      await model.refresh()
      try await service.calls.next().succeed(.products(.apple.costing(90), .pear))
      await model.settle()
      #expect(model.state.items == [.apple.costing(90), .pear])
      #expect(feed.readerCount == 1, "a cancel does not end the following")
      await feed.publish(.price(1, 60))
      try await states.first { $0.items == [.apple.costing(60), .pear] }
    }
  }

  private func withList(
    _ stage: ContractStage,
    _ body: (any ListDriver, StateRecorder<ProductListState>) async throws ->
      Void
  ) async throws {
    try await withLiveList(stage, service, feed, body)
  }

  private func withLoadedList(
    _ stage: ContractStage,
    _ body: (any ListDriver, StateRecorder<ProductListState>) async throws ->
      Void
  ) async throws {
    try await withLoadedLiveList(stage, service, feed, body)
  }
}

/// When an update arrived before the request whose answer it must not change.
enum EarlierUpdate: CaseIterable, Sendable {
  case withoutRequest, duringAnsweredRequest, duringReplacedRequest, duringCancelledRequest
}

/// Creates a list that follows `feed`, and checks that it is released while it follows, and that its reader leaves.
func withLiveList(
  _ stage: ContractStage, _ service: ScriptedPageService<CatalogProduct>, _ feed: ScriptedProductFeed,
  _ body: (any ListDriver, StateRecorder<ProductListState>) async throws -> Void
) async throws {
  try await LeakTracker.check { tracker in
    let model = stage.makeList(service: service, feed: feed)
    tracker.track(model.subject)
    try await body(model, StateRecorder(model.states(.unbounded)))
  }
  await feed.waitForReaders(0)
}

/// Creates a list that follows `feed`, and loads its first page: apple and pear.
func withLoadedLiveList(
  _ stage: ContractStage, _ service: ScriptedPageService<CatalogProduct>, _ feed: ScriptedProductFeed,
  _ body: (any ListDriver, StateRecorder<ProductListState>) async throws -> Void
) async throws {
  try await withLiveList(stage, service, feed) { model, states in
    await model.load()
    try await service.calls.next().succeed(.products(.apple, .pear))
    await model.settle()
    try await states.first { !$0.items.isEmpty }
    try await body(model, states)
  }
}

/// Answers with one product whose stock is the number of the feed's readers at the time of the request.
private struct FollowedPages: PageService, PageClosureService {
  let feed: ScriptedProductFeed

  private var page: Page<CatalogProduct> {
    .products(CatalogProduct(id: 1, name: "Apple", price: .zero(in: .usd), stock: feed.readerCount))
  }

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> { page }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(page))
    return .finished
  }
}
