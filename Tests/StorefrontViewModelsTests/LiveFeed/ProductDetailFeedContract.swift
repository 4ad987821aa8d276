import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// How the screen of a product follows a feed, in every stage.
@Suite("Product detail: live updates", .timeLimit(.minutes(5)), .endsWaits)
struct ProductDetailFeedContract {
  private let feed = ScriptedProductFeed()
  private let service = ScriptedDetailService<CatalogProduct>()

  @Test("a screen follows its product from before its first request on", arguments: ContractStage.inProcess)
  func begin(stage: ContractStage) async throws {
    try await LeakTracker.check { tracker in
      let service = FollowedProduct(feed: feed)
      let model = stage.makeDetail(itemID: 1, service: service, feed: feed)
      tracker.track(model.subject)
      #expect(feed.followed == [])
      #expect(!model.state.following.isActive)
      await model.load()
      await model.settle()
      #expect(model.state.content.value?.stock == 1, "the number of readers at the time of the request")
      #expect(model.state.following.isActive)
      await model.refresh()
      await model.settle()
      #expect(feed.followed == [[1]], "a screen that follows does not follow again")
    }
  }

  @Test("an update during a load changes the answer", arguments: ContractStage.inProcess)
  func duringLoad(stage: ContractStage) async throws {
    try await withDetail(stage) { model, states in
      await model.load()
      let call = try await service.calls.next()
      await feed.publish(.price(1, 80))
      await feed.publish(ProductUpdate(product: 1, stock: 4))
      call.succeed(.apple)
      let expected = CatalogProduct.apple.costing(80).applying(ProductUpdate(product: 1, stock: 4))
      try await states.first { $0.content.value == expected }
      await model.settle()
      #expect(model.state.content.value == expected)
    }
  }

  @Test(
    "an update is shown at once, and a refresh never brings back an older price",
    arguments: ContractStage.inProcess)
  func duringRefresh(stage: ContractStage) async throws {
    try await withLoadedDetail(stage) { model, states in
      await feed.publish(.price(1, 90))
      try await states.first { $0.content.value == .apple.costing(90) }
      await model.refresh()
      let call = try await service.calls.next()
      await feed.publish(.price(1, 80))
      try await states.first { $0.isRefreshing && $0.content.value == .apple.costing(80) }
      call.succeed(.apple.costing(90))
      await model.settle()
      await feed.publish(.price(1, 70, .jpy))
      try await states.first { $0.price == Money(minorUnits: 70, currency: .jpy) }
      expectFallingPrices(states.states)
    }
  }

  @Test(
    "an update before a request does not change its answer", arguments: ContractStage.inProcess,
    [true, false])
  func beforeRequest(stage: ContractStage, isCancelled: Bool) async throws {
    try await withLoadedDetail(stage) { model, states in
      await model.refresh()
      _ = try await service.calls.next()
      await feed.publish(.price(1, 80))
      try await states.first { $0.content.value == .apple.costing(80) }
      if isCancelled { await model.cancel() }
      #expect(model.state.content.value == .apple.costing(80))
      await model.refresh()
      try await service.calls.next().succeed(.apple.costing(90))
      await model.settle()
      #expect(model.state.content.value == .apple.costing(90))
      #expect(feed.readerCount == 1, "a cancel does not end the following")
    }
  }

  @Test("a service that answers with another product is not corrected", arguments: ContractStage.inProcess)
  func otherProduct(stage: ContractStage) async throws {
    try await withDetail(stage) { model, states in
      await model.load()
      let call = try await service.calls.next()
      await feed.publish(.price(1, 80))
      call.succeed(.pear)
      await model.settle()
      await feed.publish(.price(1, 70))
      await feed.end(.success(()))
      try await states.first { $0.content.value != nil && !$0.following.isActive }
      #expect(model.state.content.value == .pear)
    }
  }

  @Test(
    "after the feed has failed, the state contains the error until the product is loaded again",
    arguments: ContractStage.inProcess)
  func failure(stage: ContractStage) async throws {
    try await withLoadedDetail(stage) { model, states in
      await feed.end(.failure(ServiceError.offline))
      let failed = try await states.first { $0.following.failure as? ServiceError == .offline }
      #expect(!failed.following.isActive && failed.content.value == .apple)
      await model.refresh()
      let call = try await service.calls.next()
      #expect(feed.followed == [[1], [1]])
      #expect(model.state.following.isActive)
      #expect(
        model.state.following.failure as? ServiceError == .offline, "the old product can be out of date")
      call.succeed(.apple)
      await model.settle()
      #expect(model.state.following.failure == nil)

      await model.refresh()
      let last = try await service.calls.next()
      let count = states.states.count
      await feed.end(.failure(ServiceError.timedOut))
      try await states.first(from: count) { $0.following.failure as? ServiceError == .timedOut }
      last.succeed(.apple)
      await model.settle()
      #expect(model.state.following.failure as? ServiceError == .timedOut)
    }
  }

  private func expectFallingPrices(_ states: [ProductDetailState]) {
    let prices = states.compactMap(\.price?.minorUnits)
    #expect(prices == prices.sorted(by: >), "\(prices)")
  }

  /// Creates a screen that follows `feed`, and checks that it is released while it follows, and that its reader leaves.
  private func withDetail(
    _ stage: ContractStage,
    _ body: (any DetailDriver, StateRecorder<ProductDetailState>) async throws ->
      Void
  ) async throws {
    try await LeakTracker.check { tracker in
      let model = stage.makeDetail(itemID: 1, service: service, feed: feed)
      tracker.track(model.subject)
      try await body(model, StateRecorder(model.states()))
    }
    await feed.waitForReaders(0)
  }

  private func withLoadedDetail(
    _ stage: ContractStage,
    _ body: (any DetailDriver, StateRecorder<ProductDetailState>) async throws ->
      Void
  ) async throws {
    try await withDetail(stage) { model, states in
      await model.load()
      try await service.calls.next().succeed(.apple)
      await model.settle()
      try await body(model, states)
    }
  }
}

extension ProductDetailState {
  fileprivate var price: Money? { content.value?.price }
}

/// Answers with a product whose stock is the number of the feed's readers at the time of the request.
private struct FollowedProduct: DetailService, DetailClosureService {
  let feed: ScriptedProductFeed

  private var product: CatalogProduct {
    CatalogProduct(id: 1, name: "Apple", price: .zero(in: .usd), stock: feed.readerCount)
  }

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { product }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(product))
    return .finished
  }
}

extension ContractStage {
  /// Creates the screen of a product that follows a feed. In the crossed form, both services are behind bridges.
  func makeDetail(
    itemID: CatalogProduct.ID,
    service: any DetailService<CatalogProduct> & DetailClosureService<CatalogProduct>,
    feed: some ProductFeed & ProductClosureFeed
  ) -> any DetailDriver {
    form == .crossed
      ? stage.makeDetail(
        itemID: itemID, source: .list, service: service.asAsync, closures: service.asClosure,
        feed: feed.asAsync, closureFeed: feed.asClosure)
      : stage.makeDetail(
        itemID: itemID, source: .list, service: service, closures: service, feed: feed, closureFeed: feed)
  }
}
