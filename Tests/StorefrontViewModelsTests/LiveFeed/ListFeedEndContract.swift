import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// How a list of products stops following a feed, and follows again, in every stage.
@Suite("List: end of live updates", .timeLimit(.minutes(5)), .endsWaits)
struct ListFeedEndContract {
  private let feed = ScriptedProductFeed()
  private let service = ScriptedPageService<CatalogProduct>()

  @Test(
    "after the feed has failed, the state contains the error until the first page is loaded again",
    arguments: ContractStage.inProcess)
  func failure(stage: ContractStage) async throws {
    try await withLoadedLiveList(stage, service, feed) { model, states in
      await feed.end(.failure(ServiceError.offline))
      let failed = try await states.first { $0.following.failure as? ServiceError == .offline }
      #expect(!failed.following.isActive && failed.items == [.apple, .pear])
      #expect(feed.readerCount == 0)
      await model.load()
      await model.settle()
      #expect(feed.followed.count == 1, "a load that sends no request does not follow")

      await model.loadNextPage()
      try await service.calls.next().succeed(.products(.nail, index: 1, isLast: true))
      await model.settle()
      #expect(feed.followed == [nil, nil])
      #expect(model.state.following.isActive)
      #expect(model.state.following.failure as? ServiceError == .offline, "the first page can be out of date")
      await feed.publish(.price(3, 2))
      try await states.first { $0.items.last == .nail.costing(2) }

      await model.refresh()
      try await service.calls.next().succeed(.products(.apple, .pear))
      await model.settle()
      #expect(model.state.following.failure == nil)
      #expect(feed.readerCount == 1)
    }
  }

  @Test(
    "a feed that fails during a refresh leaves its error in the state", arguments: ContractStage.inProcess)
  func failureDuringRefresh(stage: ContractStage) async throws {
    try await withLoadedLiveList(stage, service, feed) { model, states in
      await model.refresh()
      let call = try await service.calls.next()
      await feed.publish(.price(1, 80))
      await feed.end(.failure(ServiceError.offline))
      try await states.first { $0.following.failure != nil }
      call.succeed(.products(.apple, .pear))
      await model.settle()
      #expect(model.state.items == [.apple.costing(80), .pear])
      #expect(model.state.following.failure as? ServiceError == .offline)
    }
  }

  @Test(
    "a feed that the service ends leaves no error, and the next refresh follows again",
    arguments: ContractStage.inProcess, [true, false])
  func end(stage: ContractStage, isCancellation: Bool) async throws {
    try await withLoadedLiveList(stage, service, feed) { model, states in
      await feed.end(isCancellation ? .failure(CancellationError()) : .success(()))
      let ended = try await states.first(from: states.states.count - 1) { !$0.following.isActive }
      #expect(ended.following.failure == nil && ended.items == [.apple, .pear])
      await model.refresh()
      try await service.calls.next().succeed(.products(.apple, .pear))
      await model.settle()
      #expect(feed.followed == [nil, nil])
      #expect(model.state.following.isActive)
    }
  }

  @Test("a list is released while it loads and follows", arguments: ContractStage.inProcess)
  func releasedDuringLoad(stage: ContractStage) async throws {
    let service = ScriptedPageService<CatalogProduct>(ignoringCancellation: true)
    let calls = try await LeakTracker.check { tracker in
      let model = stage.makeList(service: service, feed: feed)
      tracker.track(model.subject)
      await model.load()
      let call = try await service.calls.next()
      await feed.publish(.price(1, 80))
      return call
    }
    await feed.publish(.price(1, 70))
    calls.succeed(.products(.apple))
    await feed.waitForReaders(0)
  }

  @Test("a feed that calls back after its end is ignored", arguments: ContractStage.onCompletionHandlers)
  func callsAfterEnd(stage: ContractStage) async throws {
    try await LeakTracker.check { tracker in
      let feed = RepeatingFeed()
      let model = stage.stage.makeList(
        service: service, closures: service, feed: feed.asAsync, closureFeed: feed, pageSize: 2)
      tracker.track(model.subject)
      let states = StateRecorder(model.states(.unbounded))
      await model.load()
      try await service.calls.next().succeed(.products(.apple, .pear))
      await model.settle()
      feed.call(0) { $0.completion(.success(())) }
      try await states.first { !$0.following.isActive && !$0.items.isEmpty }
      await model.refresh()
      try await service.calls.next().succeed(.products(.apple, .pear))
      await model.settle()
      feed.call(0) { reader in
        reader.receive(.price(1, 1))
        reader.completion(.failure(ServiceError.offline))
      }
      feed.call(1) { $0.receive(.price(2, 20)) }
      let last = try await states.first { $0.items.last == .pear.costing(20) }
      #expect(last.items.first == .apple)
      #expect(last.following.isActive && last.following.failure == nil)
    }
  }

  @Test(
    "a list follows the in-memory feed of an app, and both are released", arguments: ContractStage.inProcess)
  func inMemoryFeed(stage: ContractStage) async throws {
    try await LeakTracker.check { tracker in
      let feed = tracker.track(InMemoryProductFeed())
      let model = stage.makeList(service: service, feed: feed)
      tracker.track(model.subject)
      let states = StateRecorder(model.states(.unbounded))
      await model.load()
      let call = try await service.calls.next()
      feed.publish(.price(1, 80))
      call.succeed(.products(.apple, .pear))
      try await states.first { $0.items == [.apple.costing(80), .pear] }
      feed.end(with: .offline)
      try await states.first { $0.following.failure as? ServiceError == .offline }
    }
  }
}

/// A feed that keeps its readers after their end.
final class RepeatingFeed: ProductClosureFeed {
  struct Reader: Sendable {
    let queue: DispatchQueue
    let receive: @Sendable (ProductUpdate) -> Void
    let completion: @Sendable (Result<Void, any Error>) -> Void
  }

  private let readers = Mutex<[Reader]>([])

  /// Runs `body` with a reader on the queue of the reader.
  func call(_ index: Int, _ body: @escaping @Sendable (Reader) -> Void) {
    guard let reader = readers.withLock({ $0.indices.contains(index) ? $0[index] : nil }) else {
      Issue.record("there is no reader \(index)")
      return
    }
    reader.queue.async { body(reader) }
  }

  func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    readers.withLock { $0.append(Reader(queue: queue, receive: receive, completion: completion)) }
    return .finished
  }

  func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    .finished
  }
}
