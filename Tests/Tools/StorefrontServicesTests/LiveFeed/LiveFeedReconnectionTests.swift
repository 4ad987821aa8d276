import AsyncViewModels
import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How every form of the feed over HTTP continues after a connection has failed.
@Suite("Reconnection of the live feed", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct LiveFeedReconnectionTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
  private let url: URL
  private let clock = VirtualClock()

  init() throws { url = try server.start() }

  private func update(_ id: Int, stock: Int) -> ProductUpdate {
    ProductUpdate(product: CatalogProduct.ID(rawValue: id), stock: stock)
  }

  private func client(_ form: FeedForm) throws -> FeedClient { try FeedClient.http(form, url, clock: clock) }

  @Test(
    "the request is that of an event source, and a reconnection continues after the last event",
    arguments: FeedForm.allCases)
  func requests(form: FeedForm) async throws {
    server.recordRequests()
    let client = try client(form)
    let reader = client.follow([1, 2])
    let states = client.states()
    for round in 1...3 {
      await server.waitForOpenedFeeds(round)
      server.publish(update(1, stock: round))
      _ = await reader.waitForUpdates(round)
      server.cutFeeds()
      let delay = try await clock.waitForReconnection()
      #expect((.seconds(3) ... .seconds(3 + 1 << (round - 1))).contains(delay), "\(delay)")
      await states.wait(for: .waiting(delay, after: .connectionLost))
      clock.advance(by: delay)
    }
    await server.waitForOpenedFeeds(4)
    #expect(reader.updates == (1...3).map { update(1, stock: $0) })
    let requests = server.recordedRequests
    #expect(requests.map(\.line) == Array(repeating: "GET /feed HTTP/1.1", count: 4))
    #expect(requests.map { $0.headers["last-event-id"] } == [nil, "1", "2", "3"])
    for request in requests {
      #expect(request.headers["accept"] == "text/event-stream")
      #expect(request.headers["cache-control"] == "no-store")
    }
    withExtendedLifetime((client, reader)) {}
  }

  @Test("a cut at any byte loses and repeats no update", arguments: [FeedForm.stream, .closure])
  func cutAtEveryByte(form: FeedForm) async throws {
    let expected = (1...3).map { update($0, stock: $0) }
    for update in expected { server.publish(update) }
    let length = "id: 1\nevent: product\ndata: {\"product\":1,\"stock\":1}\n\n".utf8.count * 3
    let client = try client(form)
    for cut in 0...length {
      server.cutNextFeed(after: cut)
      let states = client.states()
      let reader = client.follow([1, 2, 3])
      try await clock.reconnect()
      await states.wait(for: .open)
      #expect(await reader.waitForUpdates(3) == expected, "\(cut)")
      reader.cancel()
      await states.wait(for: .idle)
      await server.waitForNoFeeds()
      #expect(reader.updates == expected, "\(cut)")
    }
    withExtendedLifetime(client) {}
  }

  @Test("a history that does not reach back to the last event gives the newest state of each product")
  func shortHistory() async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 10), feedHistory: 2)
    let client = try FeedClient.http(.stream, try server.start(), clock: clock)
    let reader = client.follow([1, 2])
    await server.waitForOpenedFeeds(1)
    server.publish(update(1, stock: 1))
    #expect(await reader.waitForUpdates(1) == [update(1, stock: 1)])
    server.cutFeeds()
    let delay = try await clock.waitForReconnection()
    for stock in 2...9 { server.publish(update(1, stock: stock)) }
    server.publish(update(2, stock: 5))
    clock.advance(by: delay)
    #expect(await reader.waitForUpdates(3).dropFirst() == [update(1, stock: 9), update(2, stock: 5)])
    withExtendedLifetime((client, reader)) {}
  }

  /// A generator whose random waits are the longest possible ones.
  private struct Largest: RandomNumberGenerator, Sendable {
    func next() -> UInt64 { .max }
  }

  @Test("each failure doubles the longest wait, up to a limit")
  func longestWaits() throws {
    var connection = EventSourceConnection(EventSourcePolicy())
    var largest = Largest()
    let waits = try (1...9).map { _ in
      connection.begin()
      return (try #require(connection.delay(using: &largest)) / .seconds(1)).rounded()
    }
    #expect(waits == [4, 5, 7, 11, 19, 35, 63, 63, 63])
  }

  @Test("a stream counts as a failure only if it was not active for the stable time")
  func quietStream() {
    var connection = EventSourceConnection(EventSourcePolicy())
    for _ in 1...3 { connection.begin() }
    connection.end(afterActivityFor: .seconds(9))
    #expect(connection.failures == 3)
    connection.end(afterActivityFor: .seconds(10))
    #expect(connection.failures == 0)
  }

  /// A transport whose receivers the test calls.
  private final class ManualTransport: StreamingTransport {
    let bodyLength = 0
    let receivers = Monitor<[any HTTPReceiver]>([])

    func send(_ request: URLRequest, to receiver: any HTTPReceiver) -> CancellationToken {
      receivers.update { $0.append(receiver) }
      return .finished
    }

    func receiver(_ number: Int) async -> any HTTPReceiver {
      await receivers.wait { $0.count >= number }
      return receivers.snapshot[number - 1]
    }
  }

  @Test("a source whose policy allows no further attempt fails with the last error")
  func limit() async throws {
    let transport = ManualTransport()
    let policy = EventSourcePolicy(
      retry: .constant(.seconds(1), limit: 2), idleTime: .seconds(1_000))
    let source = EventSource(url: url, transport: transport, policy: policy, clock: clock)
    let run = Task { try await source.run(onState: { _ in }, onEvent: { _ in }) }
    for attempt in 1...2 {
      await transport.receiver(attempt).end(with: .offline)
      try await clock.reconnect()
    }
    await transport.receiver(3).end(with: .connectionLost)
    await #expect(throws: ServiceError.connectionLost) { try await run.value }
  }

  @Test("a source that only gets errors reaches its limit, also with a stable time of zero")
  func limitWithoutStableTime() async throws {
    let transport = ManualTransport()
    let policy = EventSourcePolicy(
      retry: .constant(.seconds(1), limit: 1, stableTime: .zero), idleTime: .seconds(1_000))
    let source = EventSource(url: url, transport: transport, policy: policy, clock: clock)
    let run = Task { try await source.run(onState: { _ in }, onEvent: { _ in }) }
    await transport.receiver(1).end(with: .offline)
    try await clock.reconnect()
    await transport.receiver(2).end(with: .connectionLost)
    await #expect(throws: ServiceError.connectionLost) { try await run.value }
  }

  @Test("a connection that had only comments for the stable time resets the wait", arguments: [false, true])
  func quietConnection(isLongEnough: Bool) async throws {
    let transport = ManualTransport()
    let source = EventSource(
      url: url, transport: transport, policy: EventSourcePolicy(idleTime: .seconds(1_000)), clock: clock,
      generator: Largest())
    let run = Task { try await source.run(onState: { _ in }, onEvent: { _ in }) }
    for attempt in 1...3 {
      await transport.receiver(attempt).end(with: .offline)
      try await clock.reconnect()
    }
    let receiver = await transport.receiver(4)
    let head = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "text/event-stream"]))
    #expect(receiver.receive(head))
    clock.advance(by: .seconds(6))
    #expect(receiver.receive(Data(": alive\n".utf8)))
    clock.advance(by: .seconds(isLongEnough ? 4 : 3))
    #expect(receiver.receive(Data(": alive\n".utf8)))
    receiver.end(with: nil)
    let delay = try await clock.waitForReconnection()
    #expect((delay / .seconds(1)).rounded() == (isLongEnough ? 3 : 11))
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
  }

  @Test(
    "failures wait longer and longer, also after a greeting, and a stable stream resets the wait",
    arguments: FeedForm.allCases)
  func backOff(form: FeedForm) async throws {
    let client = try client(form)
    server.fail(next: 3, with: .status(500), on: "/feed")
    server.fail(with: .status(429), on: "/feed")
    let (states, reader) = (client.states(), client.follow([1]))
    for failure in 1...4 {
      await server.waitForRequests(failure)
      let delay = try await clock.waitForReconnection()
      #expect((.seconds(3) ... .seconds(3 + 1 << (failure - 1))).contains(delay), "\(delay)")
      let head = EventSourceConnection.head(status: failure == 4 ? 429 : 500, contentType: nil)
      guard case .reconnect(let error) = head else { return #expect(Bool(false), "\(head)") }
      await states.wait(for: .waiting(delay, after: error))
      clock.advance(by: delay - .nanoseconds(1))
      #expect(clock.sleeperCount == 1)
      #expect(server.requestCount == failure)
      clock.advance(by: .nanoseconds(1))
      await server.waitForRequests(failure + 1)
    }
    server.publish(update(1, stock: 1))
    #expect(await reader.waitForUpdates(1) == [update(1, stock: 1)])
    await states.wait(for: .open)
    server.cutFeeds()
    let afterGreeting = try await clock.waitForReconnection()
    #expect((.seconds(3) ... .seconds(3 + 16)).contains(afterGreeting), "\(afterGreeting)")
    await server.waitForNoFeeds()
    clock.advance(by: afterGreeting)
    await server.waitForOpenedFeeds(2)
    server.publish(update(1, stock: 2))
    _ = await reader.waitForUpdates(2)
    clock.advance(by: .seconds(10))
    server.publish(update(1, stock: 3))
    _ = await reader.waitForUpdates(3)
    server.cutFeeds()
    #expect(try await clock.waitForReconnection() == .seconds(3))
    withExtendedLifetime((client, reader)) {}
  }

  @Test(
    "a server that sends nothing for the idle time is connected again, and a comment is enough",
    arguments: FeedForm.allCases)
  func silence(form: FeedForm) async throws {
    // The timeout of the transport uses real time. It is longer than the test.
    let client = try FeedClient.http(form, url, idleTimeout: .seconds(1_000), clock: clock)
    let (states, reader) = (client.states(), client.follow([1]))
    await states.wait(for: .open)
    await clock.waitForSleepers(1)
    let opened = clock.now
    clock.advance(by: .seconds(600))
    server.sendToFeeds(Array(": alive\n".utf8))
    server.publish(update(1, stock: 1))
    _ = await reader.waitForUpdates(1)
    clock.advance(by: .seconds(500))
    await clock.waitForSleepers(1)
    #expect(states.all.last == .open, "the activity moved the deadline")
    #expect(clock.nextDeadline == opened.advanced(by: .seconds(1_600)))
    clock.advance(by: .seconds(500))
    let delay = try await clock.waitForReconnection()
    await states.wait(for: .waiting(delay, after: .timedOut))
    await server.waitForNoFeeds()
    clock.advance(by: delay)
    await server.waitForOpenedFeeds(2)
    #expect(reader.updates == [update(1, stock: 1)])
    withExtendedLifetime((client, reader)) {}
  }
}
