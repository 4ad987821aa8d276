import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The place of a long response, and completion handlers that block.
@Suite("Long responses and slow handlers", .timeLimit(.minutes(5)), .endsWaits)
struct LongResponseTests {
  private let transport = ScriptedTransport()
  private static let longBody = "[\(String(repeating: " ", count: DecodingQueue.shortLength))]"

  private func client(
    _ middleware: any HTTPMiddleware..., clock: VirtualClock = VirtualClock()
  ) throws -> HTTPClient {
    try HTTPClient(
      baseURL: StorefrontClient.shop,
      options: HTTPOptions(
        limits: HTTPLimits(deadline: .seconds(60), connections: 1), retry: .none, middleware: middleware,
        clock: clock), transport: transport)
  }

  /// Middleware that tells how many requests have passed it.
  private struct Counter: HTTPMiddleware {
    let passed = Tally()

    func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
      passed.increment()
      return try await next(request)
    }
  }

  @Test("a long response keeps its place until it is decoded")
  func placeOfALongResponse() async throws {
    let counter = Counter()
    let client = try client(counter)
    let (started, release) = (Tally(), DispatchSemaphore(value: 0))
    let slow = Endpoint<Int>("GET", "/slow") { _ in
      started.increment()
      release.wait()
      return 7
    }
    let first = Task { try await client.value(of: slow) }
    try await transport.answer(1, body: Self.longBody)
    try await until { started.count == 1 }
    let second = Task { try await client.value(of: Endpoint<[Int]>("/next")) }
    try await until { counter.passed.count == 2 }
    for _ in 0..<1_000 { await Task.yield() }
    let isWaiting = transport.requests.count == 1
    release.signal()
    #expect(isWaiting)
    #expect(try await first.value == 7)
    try await transport.answer(2)
    #expect(try await second.value == [])
  }

  @Test("a middleware that has received a long response can send other requests", arguments: [false, true])
  func requestWithinAMiddleware(isNested: Bool) async throws {
    struct Again: HTTPMiddleware {
      let nested: @Sendable () async throws -> Void
      let isNested: Bool

      func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
        let answer = try await next(request)
        guard request.url?.path == "/outer" else { return answer }
        if isNested { try await nested() } else { return try await next(request) }
        return answer
      }
    }
    let inner = Monitor<HTTPClient?>(nil)
    let client = try client(
      Again(
        nested: { _ = try await inner.snapshot?.value(of: Endpoint<[Int]>("/inner")) }, isNested: isNested))
    inner.update { $0 = client }
    let call = Task { try await client.value(of: Endpoint<[Int]>("/outer")) }
    try await transport.answer(1, body: Self.longBody)
    try await transport.answer(2, body: Self.longBody)
    #expect(try await call.value == [])
    let next = Task { try await client.value(of: Endpoint<[Int]>("/next")) }
    try await transport.answer(3)
    #expect(try await next.value == [], "the places are free again")
    inner.update { $0 = nil }
  }

  @Test("a completion handler that blocks delays neither the others nor their deadlines")
  func blockingHandler() async throws {
    let clock = VirtualClock()
    let client = try client(clock: clock)
    let (started, release, ended) = (Tally(), DispatchSemaphore(value: 0), Monitor<(any Error)?>(nil))
    let blocking = client.load(Endpoint<[Int]>("/first")) { _ in
      started.increment()
      release.wait()
    }
    try await transport.answer(1)
    try await until { started.count == 1 }
    let late = client.load(Endpoint<[Int]>("/second")) { result in
      ended.update { if case .failure(let error) = result { $0 = error } }
    }
    await transport.waitForRequests(2)
    clock.advance(by: .seconds(60))
    _ = await ended.waitUnlessCancelled { $0 != nil }
    #expect(ended.snapshot as? ServiceError == .timedOut)
    release.signal()
    withExtendedLifetime((blocking, late)) {}
  }
}
