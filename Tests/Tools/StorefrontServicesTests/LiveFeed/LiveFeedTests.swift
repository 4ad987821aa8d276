import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@testable import StorefrontServices

/// What every form of the feed over HTTP guarantees.
@Suite("Live feed", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct LiveFeedTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
  private let url: URL
  private let clock = VirtualClock()

  init() throws { url = try server.start() }

  private func update(_ id: Int, stock: Int) -> ProductUpdate {
    ProductUpdate(product: CatalogProduct.ID(rawValue: id), stock: stock)
  }

  private func client(_ form: FeedForm) throws -> FeedClient { try FeedClient.http(form, url, clock: clock) }

  @Test("a reader receives the updates of its products in order, and no others", arguments: FeedForm.allCases)
  func updates(form: FeedForm) async throws {
    let client = try client(form)
    let reader = client.follow([1, 3])
    let price = ProductUpdate(product: 3, price: Money(minorUnits: 1_250, currency: .eur))
    await server.waitForOpenedFeeds(1)
    #expect(reader.updates == [])
    server.publish(update(1, stock: 7))
    server.publish(update(2, stock: 8))
    _ = await reader.waitForUpdates(1)
    server.publish(price)
    #expect(await reader.waitForUpdates(2) == [update(1, stock: 7), price])
    withExtendedLifetime((client, reader)) {}
  }

  @Test(
    "a reader of all products receives all updates, also of products that changed earlier",
    arguments: FeedForm.allCases)
  func allProducts(form: FeedForm) async throws {
    server.publish(update(4, stock: 1))
    let client = try client(form)
    let reader = client.follow(nil)
    _ = await reader.waitForUpdates(1)
    server.publish(update(2, stock: 8))
    server.publish(update(77, stock: 9))
    #expect(
      await reader.waitForUpdates(3) == [update(4, stock: 1), update(2, stock: 8), update(77, stock: 9)])
    withExtendedLifetime((client, reader)) {}
  }

  @Test("all readers share one connection, which ends with the last of them", arguments: FeedForm.allCases)
  func sharedConnection(form: FeedForm) async throws {
    let client = try client(form)
    let states = client.states()
    await states.wait(for: .idle)
    #expect(server.requestCount == 0, "an observer of the connection does not open it")
    let (first, second) = (client.follow([1]), client.follow([1, 2]))
    await server.waitForOpenedFeeds(1)
    server.publish(update(1, stock: 1))
    #expect(await first.waitForUpdates(1) == [update(1, stock: 1)])
    #expect(await second.waitForUpdates(1) == [update(1, stock: 1)])
    first.cancel()
    server.publish(update(2, stock: 2))
    #expect(await second.waitForUpdates(2).last == update(2, stock: 2))
    #expect(server.openedFeedCount == 1 && server.requestCount == 1)
    second.cancel()
    await states.wait(for: .idle)
    await server.waitForNoFeeds()
    let third = client.follow([1, 2])
    #expect(await third.waitForUpdates(2) == [update(1, stock: 1), update(2, stock: 2)])
    #expect(server.openedFeedCount == 2, "a new first reader connects again")
    #expect(first.updates.count == 1)
    withExtendedLifetime((client, third)) {}
  }

  @Test("a slow reader receives the newest price and stock of each product", arguments: FeedForm.allCases)
  func slowReader(form: FeedForm) async throws {
    let client = try client(form)
    let (slow, fast) = (client.follow([1, 2, 3]), client.follow([4]))
    await server.waitForOpenedFeeds(1)
    slow.pause()
    for round in 1...300 {
      server.publish(ProductUpdate(product: 1, price: Money(minorUnits: round, currency: .eur)))
      server.publish(update(1, stock: round))
      server.publish(update(2, stock: round))
      server.publish(update(3, stock: round))
    }
    server.publish(update(4, stock: 1))
    // All readers receive the updates in one order, so the slow reader has them, too.
    #expect(await fast.waitForUpdates(1) == [update(4, stock: 1)])
    slow.resume()
    _ = await slow.log.waitUnlessCancelled { log in
      [1, 2, 3].allSatisfy { id in log.updates.last { $0.product == id }?.stock == 300 }
    }
    let updates = slow.updates
    // One update that the reader had already taken, and one for each product. A bridge has its own buffer and also
    // passes on what the feed had not delivered to it yet.
    let isBridged = form == .bridgedStream || form == .bridgedClosure
    #expect((3...(isBridged ? 8 : 4)).contains(updates.count), "\(updates.count)")
    // The reader can have taken the newest price before the newest stock.
    #expect(updates.last { $0.product == 1 && $0.price != nil }?.price?.minorUnits == 300)
    withExtendedLifetime((client, slow, fast)) {}
  }

  @Test("a reader that leaves ends the connection at every stage", arguments: FeedForm.allCases)
  func cancellation(form: FeedForm) async throws {
    let client = try client(form)
    let states = client.states()

    server.fail(with: .bytes([], end: .silence), on: "/feed")
    let connecting = client.follow([1])
    await states.wait(for: .connecting)
    await server.waitForRequests(1)
    connecting.cancel()
    await states.wait(for: .idle)
    await server.waitForEndedConnections(1)

    let open = client.follow([1])
    await states.wait(for: .open)
    open.cancel()
    await states.wait(for: .idle)
    await server.waitForEndedConnections(2)

    server.fail(with: .status(503), on: "/feed")
    let waiting = client.follow([1])
    _ = try await clock.waitForReconnection()
    waiting.cancel()
    await states.wait(for: .idle)
    try await until { clock.sleeperCount == 0 }
    #expect(server.requestCount == 3)
    for reader in [connecting, open, waiting] { #expect(reader.updates == []) }
    withExtendedLifetime(client) {}
  }

  @Test("a reader that leaves at any moment ends the connection", arguments: FeedForm.allCases)
  func cancellationRace(form: FeedForm) async throws {
    let client = try client(form)
    server.publish(update(1, stock: 1))
    for round in 0..<60 {
      let reader = client.follow([1])
      for _ in 0..<round { await Task.yield() }
      reader.cancel()
      #expect(reader.updates.count <= 1)
    }
    let states = client.states()
    await states.wait(for: .idle)
    await server.waitForNoFeeds()
    try await until { clock.sleeperCount == 0 }
    withExtendedLifetime(client) {}
  }

  @Test("readers end when the storefront is released, and do not keep it alive", arguments: FeedForm.allCases)
  func releasedStorefront(form: FeedForm) async throws {
    let tracker = LeakTracker()
    var client: FeedClient? = try client(form)
    let reader = try #require(client).follow([1])
    tracker.track(try #require(client).service, "storefront")
    server.publish(update(1, stock: 1))
    _ = await reader.waitForUpdates(1)
    client = nil
    try await tracker.assertAllReleased()
    try await reader.waitForEnd()
    #expect(reader.updates == [update(1, stock: 1)])
    await server.waitForNoFeeds()
    try await until { clock.sleeperCount == 0 }
  }

  @Test("everything is released after the last reader has left", arguments: FeedForm.allCases)
  func lifetime(form: FeedForm) async throws {
    try await LeakTracker.check { tracker in
      let client = try client(form)
      tracker.track(client.service, "storefront")
      let reader = tracker.track(client.follow([1]))
      let states = tracker.track(client.states())
      await states.wait(for: .open)
      server.cutFeeds()
      _ = try await clock.waitForReconnection()
      withExtendedLifetime((client, reader)) {}
    }
    await server.waitForNoFeeds()
    try await until { clock.sleeperCount == 0 }
  }
}
