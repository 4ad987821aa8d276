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

/// What middleware sees, changes and ends.
@Suite("HTTP middleware", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct HTTPMiddlewareTests {
  private let transport = ScriptedTransport()
  private let clock = VirtualClock()

  /// Middleware that consists of one closure.
  private struct Step: HTTPMiddleware {
    let body: @Sendable (URLRequest, HTTPHandler) async throws -> TransportResponse

    func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
      try await body(request, next)
    }
  }

  private struct Refused: Error, Equatable {}

  private func client(
    _ form: ServiceForm, retry: HTTPRetryPolicy = .none, _ middleware: any HTTPMiddleware...
  ) throws -> StorefrontClient {
    let options = HTTPOptions(
      limits: HTTPLimits(deadline: .seconds(60)), retry: retry, middleware: middleware, clock: clock)
    return try StorefrontClient.http(form, StorefrontClient.shop, over: transport, options: options)
  }

  @Test(
    "the first middleware sees a request first and its response last, and can change both",
    arguments: ServiceForm.allCases)
  func order(form: ServiceForm) async throws {
    let log = Notes()
    func step(_ name: String) -> Step {
      Step { request, next in
        var request = request
        let path = (request.value(forHTTPHeaderField: "X-Path") ?? "") + name
        request.setValue(path, forHTTPHeaderField: "X-Path")
        let answer = try await next(request)
        log.add("\(name) \(answer.head.statusCode)")
        return (Data("[\(name)]".utf8) + answer.body, answer.head)
      }
    }
    let undo = Step { request, next in
      let answer = try await next(request)
      return (answer.body == Data("[a][b][]".utf8) ? Data("[]".utf8) : Data(), answer.head)
    }
    let client = try client(form, undo, step("a"), step("b"))
    let read = Task { try await client.orders() }
    try await transport.answer(1)
    #expect(try await read.value == [])
    #expect(transport.requests.map { $0.value(forHTTPHeaderField: "X-Path") } == ["ab"])
    #expect(log.all == ["b 200", "a 200"])
  }

  @Test("a middleware sees each redirection and each retry", arguments: ServiceForm.allCases)
  func redirections(form: ServiceForm) async throws {
    let log = Notes()
    let client = try client(
      form, retry: HTTPRetryPolicy(backoff: .constant(.zero, limit: 1)),
      Step { request, next in
        // A field of the middleware is not in the following request unless the middleware adds it again.
        #expect(request.value(forHTTPHeaderField: "X-Once") == nil)
        var request = request
        request.setValue("1", forHTTPHeaderField: "X-Once")
        let answer = try await next(request)
        log.add("\(request.url?.path() ?? "") \(answer.head.statusCode)")
        return answer
      })
    let read = Task { try await client.orders() }
    try await transport.answer(1, 302, ["Location": "/moved"])
    try await transport.answer(2, 503)
    try await transport.answer(3)
    #expect(try await read.value == [])
    #expect(log.all == ["/orders 302", "/moved 503", "/moved 200"])
  }

  @Test("the caller receives the error of a middleware", arguments: ServiceForm.allCases)
  func errors(form: ServiceForm) async throws {
    let cases: [(any Error & Sendable, any Error & Equatable & Sendable)] = [
      (Refused(), Refused()), (ServiceError.offline, ServiceError.offline),
      (ServiceError.malformed("no"), ServiceError.malformed("GET /orders: no")),
      (URLError(.timedOut), ServiceError.timedOut), (CancellationError(), ServiceError.connectionLost),
    ]
    for (error, expected) in cases {
      let client = try client(form, Step { _, _ in throw error })
      do {
        _ = try await client.orders()
        Issue.record("no error instead of \(expected)")
      } catch {
        #expect("\(error)" == "\(expected)")
        #expect(type(of: error) == type(of: expected))
      }
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("a middleware can answer without a request, and send again", arguments: ServiceForm.allCases)
  func sendAgain(form: ServiceForm) async throws {
    let client = try client(
      form,
      Step { request, next in
        let first = try await next(request)
        return first.head.statusCode == 500 ? try await next(request) : first
      })
    let write = Task { try await client.deletePost(1) }
    try await transport.answer(1, 500)
    try await transport.answer(2, body: #"{"deleted":1}"#)
    try await write.value
  }

  @Test("the deadline and a cancellation end a middleware that ignores both", arguments: ServiceForm.allCases)
  func deadline(form: ServiceForm) async throws {
    let (gate, ended) = (Gate(), Tally())
    let client = try client(
      form,
      Step { request, next in
        await gate.wait()
        defer { ended.increment() }
        return try await next(request)
      })
    let late = Task { try await client.orders() }
    await gate.waitForArrivals(1)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(60))
    await #expect(throws: ServiceError.timedOut) { try await late.value }
    let cancelled = Task { try await client.orders() }
    await gate.waitForArrivals(2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    gate.open()
    try await until { ended.count == 2 }
    #expect(transport.requests.isEmpty, "a cancelled task sends nothing")
  }

  @Test("a storefront with middleware is deallocated", arguments: ServiceForm.allCases)
  func lifetime(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let token = try #require(BearerToken("a"))
      let authorization = try BearerAuthorization(baseURL: StorefrontClient.shop, token: token) { _ in token }
      let client = try client(form, tracker.track(authorization))
      tracker.track(client.service, "storefront")
      let read = Task { try await client.orders() }
      try await transport.answer(1, 401)
      try await transport.answer(2, 401)
      await #expect(throws: ServiceError.self) { try await read.value }
    }
  }

  @Test(
    "a method that is not a token is an error and is not sent", arguments: ServiceForm.allCases,
    ["GET /evil", "", "GET\r\nX-Evil: 1", "GET\0", "GÉT", "(GET)"])
  func invalidMethod(form: ServiceForm, method: String) async throws {
    let transport = AnsweringTransport { _ in (200, "[]") }
    let step = Step { request, next in
      var request = request
      request.httpMethod = method
      return try await next(request)
    }
    let client = try StorefrontClient.http(
      form, StorefrontClient.shop, over: transport,
      options: HTTPOptions(retry: .none, middleware: [step], clock: clock))
    let reason = "GET /orders: the method of the request contains a character that HTTP does not allow"
    await #expect(throws: ServiceError.malformed(reason)) { try await client.orders() }
    #expect(transport.requests.isEmpty)
  }
}
