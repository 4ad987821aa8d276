import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import Testing

@Suite("In-memory feed", .timeLimit(.minutes(5)), .endsWaits)
struct InMemoryProductFeedTests {
  private let first = ProductUpdate(product: 1, stock: 1)
  private let second = ProductUpdate(product: 2, stock: 2)

  @Test(
    "readers receive the updates of their products that are published after they have joined",
    arguments: FeedForm.allCases)
  func updates(form: FeedForm) async throws {
    let feed = InMemoryProductFeed()
    let client = FeedClient.inMemory(form, feed)
    let states = client.states()
    await states.wait(for: .idle)
    feed.publish(first)
    let (one, both) = (client.follow([1]), client.follow([1, 2]))
    await states.wait(for: .open)
    feed.publish(second)
    _ = await both.waitForUpdates(1)
    feed.publish(first)
    #expect(await one.waitForUpdates(1) == [first])
    #expect(await both.waitForUpdates(2) == [second, first])
    #expect(feed.readerCount == 2)
    feed.show(.waiting(.seconds(3), after: .connectionLost))
    await states.wait(for: .waiting(.seconds(3), after: .connectionLost))
    one.cancel()
    both.cancel()
    await states.wait(for: .idle)
    #expect(feed.readerCount == 0)
    feed.show(.open)
    // A new observer receives the current state first.
    let late = client.states()
    await late.log.wait { !$0.isEmpty }
    #expect(late.all.first == .idle, "a feed without a reader has no connection")
  }

  @Test(
    "a reader of all products receives the updates of each product, merged while it does not read",
    arguments: FeedForm.allCases)
  func allProducts(form: FeedForm) async throws {
    let feed = InMemoryProductFeed()
    let client = FeedClient.inMemory(form, feed)
    let (all, one) = (client.follow(nil), client.follow([1]))
    feed.publish(second)
    feed.publish(first)
    #expect(await all.waitForUpdates(2) == [second, first])
    #expect(await one.waitForUpdates(1) == [first])
    all.pause()
    for stock in 1...300 {
      for id in 1...20 { feed.publish(ProductUpdate(product: .init(rawValue: id), stock: stock)) }
    }
    all.resume()
    _ = await all.log.waitUnlessCancelled { log in
      (1...20).allSatisfy { id in log.updates.last { $0.product.rawValue == id }?.stock == 300 }
    }
    // The reader and each bridge can have taken one update before the pause took effect, and a bridge has its own buffer.
    let isBridged = form == .bridgedStream || form == .bridgedClosure
    #expect((20...(isBridged ? 42 : 21)).contains(all.updates.count - 2), "\(all.updates.count - 2)")
    all.cancel()
    try await until { feed.readerCount == 1 }
    withExtendedLifetime((client, one)) {}
  }

  @Test(
    "the end of a feed follows the unread updates, and a new reader can join", arguments: FeedForm.allCases)
  func end(form: FeedForm) async throws {
    let feed = InMemoryProductFeed()
    let client = FeedClient.inMemory(form, feed)
    let states = client.states()
    let reader = client.follow([1, 2])
    feed.publish(first)
    feed.publish(second)
    feed.end(with: .offline)
    await #expect(throws: ServiceError.offline) { try await reader.waitForEnd() }
    #expect(reader.updates == [first, second])
    await states.wait(for: .failed(.offline))
    let next = client.follow([1])
    await states.wait(for: .open)
    feed.publish(first)
    feed.end()
    try await next.waitForEnd()
    #expect(next.updates == [first])
    await states.wait(for: .ended)
    #expect(reader.log.snapshot.endCount == 1 && next.log.snapshot.endCount == 1)
  }

  @Test(
    "readers end when the feed is released, and a reader that leaves is released",
    arguments: FeedForm.allCases)
  func lifetime(form: FeedForm) async throws {
    let tracker = LeakTracker()
    var feed: InMemoryProductFeed? = InMemoryProductFeed()
    var client: FeedClient? = FeedClient.inMemory(form, tracker.track(try #require(feed)))
    let reader = try #require(client).follow([1])
    try await LeakTracker.check { tracker in
      let other = tracker.track(try #require(client).follow([1]))
      feed?.publish(first)
      _ = await other.waitForUpdates(1)
      other.cancel()
    }
    try await until { feed?.readerCount == 1 }
    (feed, client) = (nil, nil)
    try await tracker.assertAllReleased()
    try await reader.waitForEnd()
    #expect(reader.updates == [first])
  }

  @Test("leaving a loop ends the share of its reader")
  func leavingTheLoop() async throws {
    let feed = InMemoryProductFeed()
    func readOne() async throws -> ProductUpdate? {
      let updates = feed.updates(of: [1])
      feed.publish(first)
      for try await update in updates { return update }
      return nil
    }
    #expect(try await readOne() == first)
    #expect(feed.readerCount == 0)
    do { _ = feed.updates(of: [1]) }
    #expect(feed.readerCount == 0, "a stream that is never read leaves, too")
  }

  @Test(
    "a reader that has left receives nothing, and a cancelled reader ends without an error",
    arguments: FeedForm.allCases)
  func cancelled(form: FeedForm) async throws {
    let feed = InMemoryProductFeed()
    let client = FeedClient.inMemory(form, feed)
    let (reader, witness) = (client.follow([1]), client.follow([1]))
    feed.publish(first)
    _ = await reader.waitForUpdates(1)
    _ = await witness.waitForUpdates(1)
    reader.cancel()
    try await until { feed.readerCount == 1 }
    feed.publish(first)
    _ = await witness.waitForUpdates(2)
    // A callback feed calls nothing after its cancellation. A stream ends.
    if form == .stream || form == .bridgedStream { try await reader.waitForEnd() }
    await reader.waitForCallbacks()
    #expect(reader.updates == [first])
    withExtendedLifetime((client, feed)) {}
  }

  @Test("updates that are published by many tasks reach all readers in one order")
  func order() async throws {
    let feed = InMemoryProductFeed()
    let products = Set((1...50).map { CatalogProduct.ID(rawValue: $0) })
    let readers = (1...4).map { _ in FeedReader(feed.updates(of: products)) }
    for reader in readers { reader.pause() }
    await withTaskGroup { group in
      for product in products { group.addTask { feed.publish(ProductUpdate(product: product, stock: 1)) } }
    }
    for reader in readers { reader.resume() }
    let orders = await readers.asyncMap { await $0.waitForUpdates(50).map(\.product) }
    #expect(Set(orders).count == 1)
    #expect(Set(orders[0]) == products)
    withExtendedLifetime(feed) {}
  }
}

extension Array where Element: Sendable {
  fileprivate func asyncMap<Answer>(_ transform: (Element) async -> Answer) async -> [Answer] {
    var answers: [Answer] = []
    for element in self { answers.append(await transform(element)) }
    return answers
  }
}
