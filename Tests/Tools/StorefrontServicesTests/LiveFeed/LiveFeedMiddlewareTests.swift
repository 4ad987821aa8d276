import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How the request of a feed passes the middleware.
@Suite("Middleware of the live feed", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct LiveFeedMiddlewareTests {
  /// A middleware that is a function.
  private struct Step: HTTPMiddleware {
    let run: @Sendable (URLRequest, HTTPHandler) async throws -> (body: Data, head: HTTPURLResponse)

    func response(
      to request: URLRequest, next: HTTPHandler
    ) async throws -> (body: Data, head: HTTPURLResponse) {
      try await run(request, next)
    }
  }

  private struct OwnError: Error {}

  private let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
  private let url: URL
  private let clock = VirtualClock()
  private let update = ProductUpdate(product: 1, stock: 7)
  private let old: BearerToken
  private let new: BearerToken

  init() throws {
    url = try server.start()
    old = try #require(BearerToken("old"))
    new = try #require(BearerToken("new"))
  }

  private func client(_ form: FeedForm, _ middleware: any HTTPMiddleware) throws -> FeedClient {
    try FeedClient.http(form, url, middleware: [middleware], clock: clock)
  }

  @Test("a refused token is refreshed once, and the feed continues", arguments: FeedForm.allCases)
  func refresh(form: FeedForm) async throws {
    let refreshes = Tally()
    let authorization = try BearerAuthorization(baseURL: url, token: old) { [new] _ in
      refreshes.increment()
      return new
    }
    let client = try client(form, authorization)
    server.recordRequests()
    server.fail(with: .status(401), on: "/feed")
    let (states, reader) = (client.states(), client.follow([1]))
    await states.wait(for: .open)
    server.publish(update)
    #expect(await reader.waitForUpdates(1) == [update])
    server.cutFeeds()
    #expect((.seconds(3) ... .seconds(4)).contains(try await clock.waitForReconnection()))
    try await clock.reconnect()
    await server.waitForOpenedFeeds(2)
    #expect(refreshes.count == 1)
    let tokens = server.recordedRequests.map { $0.headers["authorization"] }
    #expect(tokens == ["Bearer old", "Bearer new", "Bearer new"])
    withExtendedLifetime((client, reader)) {}
  }

  @Test("without a network, a refresh is tried again", arguments: FeedForm.allCases)
  func offlineRefresh(form: FeedForm) async throws {
    let refreshes = Tally()
    let authorization = try BearerAuthorization(baseURL: url, token: old) { [new] _ in
      refreshes.increment()
      guard refreshes.count > 1 else { throw ServiceError.offline }
      return new
    }
    let client = try client(form, authorization)
    server.fail(next: 2, with: .status(401), on: "/feed")
    let (states, reader) = (client.states(), client.follow([1]))
    let delay = try await clock.waitForReconnection()
    await states.wait(for: .waiting(delay, after: .offline))
    try await clock.reconnect()
    await states.wait(for: .open)
    #expect(refreshes.count == 2)
    withExtendedLifetime((client, reader)) {}
  }

  @Test("a refresh that fails ends the feed", arguments: FeedForm.allCases)
  func failedRefresh(form: FeedForm) async throws {
    let client = try client(
      form, try BearerAuthorization(baseURL: url, token: old) { _ in throw OwnError() })
    server.fail(with: .status(401), on: "/feed")
    let reader = client.follow([1])
    let message = TokenRefreshError(cause: OwnError()).description
    await #expect(throws: ServiceError.status(code: 401, message: message)) { try await reader.waitForEnd() }
    withExtendedLifetime(client) {}
  }

  @Test(
    "a middleware sees the head of a running stream, and can request another one",
    arguments: FeedForm.allCases)
  func repeated(form: FeedForm) async throws {
    let heads = Monitor<[Int]>([])
    let client = try client(
      form,
      Step { request, next in
        let first = try await next(request)
        let second = try await next(request)
        heads.update { $0 += [first.head.statusCode, second.head.statusCode, first.body.count] }
        return second
      })
    server.publish(update)
    let reader = client.follow([1])
    await heads.wait { $0 == [200, 200, 0] }
    let later = ProductUpdate(product: 1, stock: 8)
    _ = await reader.waitForUpdates(1)
    server.publish(later)
    #expect(await reader.waitForUpdates(2) == [update, later], "a repeated event is dropped")
    await server.waitForEndedConnections(1)
    #expect(server.openedFeedCount == 2)
    withExtendedLifetime((client, reader)) {}
  }

  @Test(
    "a middleware that sends nothing, or throws its own error, ends the feed", arguments: FeedForm.allCases)
  func unusable(form: FeedForm) async throws {
    let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    let steps: [(Step, ServiceError)] = [
      (Step { _, _ in (Data(), head) }, .malformed("GET /feed: the middleware has not sent the request")),
      (Step { _, _ in throw OwnError() }, .unreachable("the middleware has failed with OwnError")),
      (
        Step { request, next in
          _ = try await next(request)
          throw OwnError()
        }, .unreachable("the middleware has failed with OwnError")
      ),
    ]
    for (step, error) in steps {
      let client = try client(form, step)
      let reader = client.follow([1])
      await #expect(throws: error) { try await reader.waitForEnd() }
      await server.waitForNoFeeds()
      withExtendedLifetime(client) {}
    }
  }

  @Test("a reader that leaves cancels a middleware that waits", arguments: FeedForm.allCases)
  func cancellation(form: FeedForm) async throws {
    try await LeakTracker.check { tracker in
      let (started, cancelled) = (Tally(), Tally())
      let client = try client(
        form,
        Step { request, next in
          let answer = try await next(request)
          started.increment()
          do { try await clock.sleep(for: .seconds(1_000_000)) } catch {
            cancelled.increment()
            throw error
          }
          return answer
        })
      tracker.track(client.service, "storefront")
      let reader = tracker.track(client.follow([1]))
      try await until { started.count == 1 }
      reader.cancel()
      try await until { cancelled.count == 1 }
      await server.waitForNoFeeds()
    }
    try await until { clock.sleeperCount == 0 }
  }

  @Test(
    "a feed ends when its token is replaced, and the next one has the new token", arguments: FeedForm.allCases
  )
  func replacedToken(form: FeedForm) async throws {
    let authorization = try BearerAuthorization(baseURL: url, token: old) { [new] _ in new }
    let client = try client(form, authorization)
    server.recordRequests()
    for token in [new, nil] {
      let (states, reader) = (client.states(), client.follow([1]))
      await states.wait(for: .open)
      authorization.replaceToken(with: token)
      await #expect(throws: Self.replaced) { try await reader.waitForEnd() }
      await states.wait(for: .failed(Self.replaced))
      await server.waitForNoFeeds()
    }
    // A feed without a token continues after the sign-in.
    let (states, reader) = (client.states(), client.follow([1]))
    await states.wait(for: .open)
    authorization.replaceToken(with: new)
    server.publish(update)
    #expect(await reader.waitForUpdates(1) == [update])
    let tokens = server.recordedRequests.map { $0.headers["authorization"] }
    #expect(tokens == ["Bearer old", "Bearer new", nil])
    withExtendedLifetime((client, reader)) {}
  }

  private static let replaced = ServiceError.status(
    code: 401, message: "the token was replaced before the request was sent")
}
