import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@testable import StorefrontServices

/// How a feed ends or continues after the answers of broken and hostile servers.
@Suite("A hostile feed", .usesSockets, .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct HostileFeedTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
  private let url: URL
  private let clock = VirtualClock()
  private let update = ProductUpdate(product: 1, stock: 7)

  init() throws { url = try server.start() }

  private static func answer(
    _ head: String, _ body: [UInt8] = [], end: LoopbackFault.End = .close
  ) -> LoopbackFault {
    .bytes(Array("HTTP/1.1 \(head)\r\n\r\n".utf8) + body, end: end)
  }

  private static func stream(_ body: [UInt8], end: LoopbackFault.End = .silence) -> LoopbackFault {
    answer("200 OK\r\nContent-Type: text/event-stream", body, end: end)
  }

  private static func stream(_ text: String, end: LoopbackFault.End = .silence) -> LoopbackFault {
    stream(Array(text.utf8), end: end)
  }

  private static let event = "id: 1\nevent: product\ndata: {\"product\":1,\"stock\":7}\n\n"

  private static let failures: [(LoopbackFault, ServiceError)] = [
    (
      answer("200 OK\r\nContent-Type: text/html", Array("<html>".utf8)),
      .malformed("GET /feed: the content type is text/html instead of text/event-stream")
    ),
    (
      answer("200 OK\r\nContent-Type: application/octet-stream", Array(repeating: 0xFF, count: 100)),
      .malformed("GET /feed: the content type is application/octet-stream instead of text/event-stream")
    ),
    (answer("200 OK"), .malformed("GET /feed: the content type is missing")),
    (
      answer("200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip", [0x1F, 0x8B, 8]),
      .malformed("GET /feed: the stream is compressed")
    ),
    (.bytes(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), .malformed("GET /feed: it is not HTTP")),
    (
      answer("302 Found\r\nLocation: http://localhost.example/feed\r\nContent-Length: 0"),
      .redirected(to: "http://localhost.example/feed")
    ),
    (
      stream("data: " + String(repeating: "x", count: 70_000)),
      .malformed("GET /feed: a line has more than 65536 bytes")
    ),
    (
      stream(String(repeating: "data: \(String(repeating: "x", count: 60_000))\n", count: 18)),
      .malformed("GET /feed: the data of an event has more than 1048576 bytes")
    ),
    (
      stream("id: 8\nevent: product\ndata: {\"product\":1,\"stock\":-1}\n\n"),
      .malformed("GET /feed: event \"8\": stock: negative stock: -1")
    ),
    (
      stream("id: 9\nevent: product\ndata: {\"product\":1,\"stock\":1.5}\n\n"),
      .malformed("GET /feed: event \"9\": stock: the number is not an integer in the supported range")
    ),
    (
      stream("event: product\ndata: {\"product\":1}\n\n"),
      .malformed("GET /feed: event \"\": product: neither a price nor a stock")
    ),
  ]

  @Test(
    "an answer that cannot be used ends the readers with an error that names it", arguments: failures.indices,
    FeedForm.allCases)
  func failure(index: Int, form: FeedForm) async throws {
    let (fault, expected) = Self.failures[index]
    let client = try FeedClient.http(form, url, clock: clock)
    let states = client.states()
    server.publish(update)
    server.fail(with: fault, on: "/feed")
    let reader = client.follow([1])
    await #expect(throws: expected) { try await reader.waitForEnd() }
    await states.wait(for: .failed(expected))
    #expect(server.requestCount == 1, "the feed does not connect again")
    await server.waitForEndedConnections(1)
    let next = client.follow([1])
    #expect(await next.waitForUpdates(1) == [update], "a new reader connects again")
    #expect(reader.log.snapshot.endCount == 1)
    withExtendedLifetime((client, next)) {}
  }

  @Test("the updates before a malformed one are delivered", arguments: FeedForm.allCases)
  func updateBeforeFailure(form: FeedForm) async throws {
    let client = try FeedClient.http(form, url, clock: clock)
    server.fail(with: Self.stream(Self.event + "event: product\ndata: {}\n\n"), on: "/feed")
    let reader = client.follow([1])
    await #expect(throws: ServiceError.malformed("GET /feed: event \"1\": product: it is missing")) {
      try await reader.waitForEnd()
    }
    #expect(reader.updates == [update])
    withExtendedLifetime(client) {}
  }

  @Test("the status 204 ends the readers without an error, for good", arguments: FeedForm.allCases)
  func noContent(form: FeedForm) async throws {
    let client = try FeedClient.http(form, url, clock: clock)
    let states = client.states()
    server.fail(with: Self.answer("204 No Content", end: .next), on: "/feed")
    let reader = client.follow([1])
    try await reader.waitForEnd()
    await states.wait(for: .ended)
    #expect(reader.updates == [])
    #expect(server.requestCount == 1)
    withExtendedLifetime(client) {}
  }

  private static let interruptions: [LoopbackFault] = [
    .status(500), .status(503), .status(429), .drop, stream(""), stream(": comment\n\n"),
    stream(event.dropLast(1) + ""),
    stream("data: {}\n\nevent: other\ndata: {}\n\n"), stream([0xFF, 0xFE, 0x0A, 0x0A, 0, 0x0D]),
    stream("\u{FEFF}event: product\n\n"),
    answer(
      "200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked", Array("5\r\n: abc".utf8)),
  ]

  @Test(
    "after an interrupted, silent or useless answer, the feed connects again",
    arguments: interruptions.indices,
    FeedForm.allCases)
  func interruption(index: Int, form: FeedForm) async throws {
    let client = try FeedClient.http(form, url, idleTimeout: .seconds(1_000), clock: clock)
    let states = client.states()
    server.publish(update)
    // A client may repeat a request that ends without an answer.
    let fault = Self.interruptions[index]
    server.fail(next: fault == .drop ? 4 : 1, with: fault, on: "/feed")
    let reader = client.follow([1])
    // The time passes only while the feed waits, or while it listens to a silent server.
    try await until {
      if clock.isBeforeReconnection || (states.all.last == .open && server.openedFeedCount == 0) {
        clock.nextDeadline.map { clock.advance(to: $0) }
      }
      return !reader.updates.isEmpty
    }
    #expect(await reader.waitForUpdates(1) == [update])
    withExtendedLifetime((client, reader)) {}
  }

  @Test("a redirection to the same host is followed, with the last event ID", arguments: FeedForm.allCases)
  func redirection(form: FeedForm) async throws {
    let client = try FeedClient.http(form, url, clock: clock)
    server.publish(update)
    server.recordRequests()
    let reader = client.follow([1])
    _ = await reader.waitForUpdates(1)
    server.fail(with: Self.answer("307 Moved\r\nLocation: /feed\r\nContent-Length: 0"), on: "/feed")
    server.cutFeeds()
    try await clock.reconnect()
    await server.waitForOpenedFeeds(2)
    #expect(server.recordedRequests.map { $0.headers["last-event-id"] } == [nil, "1", "1"])
    #expect(reader.updates == [update])
    withExtendedLifetime((client, reader)) {}
  }

  @Test("redirections in a circle end in an error", arguments: FeedForm.allCases)
  func circle(form: FeedForm) async throws {
    let client = try FeedClient.http(form, url, clock: clock)
    server.fail(
      next: 100, with: Self.answer("302 Found\r\nLocation: /feed\r\nContent-Length: 0", end: .next),
      on: "/feed")
    let reader = client.follow([1])
    await #expect(throws: ServiceError.redirected(to: "\(url)/feed")) { try await reader.waitForEnd() }
    #expect(server.requestCount == 6)
    withExtendedLifetime(client) {}
  }

  @Test(
    "a reconnection to a server that repeats all events delivers each event once",
    arguments: FeedForm.allCases)
  func repeatedEvents(form: FeedForm) async throws {
    let client = try FeedClient.http(form, url, clock: clock)
    let second = Self.event.replacing("id: 1", with: "id: 2").replacing("7", with: "8")
    server.fail(with: Self.stream(Self.event, end: .close), on: "/feed")
    server.fail(with: Self.stream(Self.event + second), on: "/feed")
    let reader = client.follow([1])
    #expect(await reader.waitForUpdates(1) == [update])
    try await clock.reconnect()
    #expect(await reader.waitForUpdates(2) == [update, ProductUpdate(product: 1, stock: 8)])
    withExtendedLifetime((client, reader)) {}
  }
}
