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

/// When a storefront sends a failed request again.
@Suite("HTTP retries", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct HTTPRetryTests {
  private let transport = ScriptedTransport()
  private let clock = VirtualClock()

  /// Waits 1 s, 2 s, and 2 s, without randomness.
  private static let policy = HTTPRetryPolicy(
    backoff: .exponential(from: .seconds(1), upTo: .seconds(2), limit: 3), longestRetryAfter: .seconds(10))

  private func client(
    _ form: ServiceForm, retry: HTTPRetryPolicy = policy, deadline: Duration = .seconds(60),
    connections: Int = 6
  ) throws -> StorefrontClient {
    let options = HTTPOptions(
      limits: HTTPLimits(deadline: deadline, connections: connections), retry: retry, clock: clock)
    return try StorefrontClient.http(form, StorefrontClient.shop, over: transport, options: options)
  }

  private static func head(_ status: Int, _ fields: [String: String] = [:]) throws -> HTTPURLResponse {
    try #require(
      HTTPURLResponse(
        url: StorefrontClient.shop, statusCode: status, httpVersion: nil, headerFields: fields))
  }

  @Test(
    "a request is worth a retry only after a failure that may pass",
    arguments: [
      (.success(408), true), (.success(429), true), (.success(502), true), (.success(503), true),
      (.success(504), true), (.success(200), false), (.success(301), false), (.success(304), false),
      (.success(400), false), (.success(401), false), (.success(404), false), (.success(409), false),
      (.success(500), false), (.success(501), false), (.failure(.connectionLost), true),
      (.failure(.timedOut), true), (.failure(.unreachable("x")), true), (.failure(.offline), false),
      (.failure(.insecure), false), (.failure(.malformed("x")), false),
      (.failure(.tooLarge(limit: 1)), false),
      (.failure(.redirected(to: "x")), false), (.failure(.notFound("x")), false),
      (.failure(.status(code: 503, message: "x")), false),
    ] as [(Result<Int, ServiceError>, Bool)])
  func rule(outcome: Result<Int, ServiceError>, isWorthRetry: Bool) throws {
    let result: Result<TransportResponse, any Error> =
      switch outcome {
      case .success(let status): .success((Data(), try Self.head(status)))
      case .failure(let error): .failure(error)
      }
    #expect(HTTPRetryPolicy.isWorthRetry(result) == isWorthRetry)
    #expect(!HTTPRetryPolicy.isWorthRetry(.failure(CancellationError())))
  }

  @Test("a read and a write with a key can be repeated, and a write without a key cannot")
  func repeatable() {
    for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
      var request = URLRequest(url: StorefrontClient.shop)
      request.httpMethod = method
      #expect(HTTPRetryPolicy.isRepeatable(request) == (method == "GET"))
      request.setValue("\"k\"", forHTTPHeaderField: "idempotency-key")
      #expect(HTTPRetryPolicy.isRepeatable(request))
    }
  }

  @Test(
    "a response says how long to wait, in seconds or as a date in one of three formats",
    arguments: [
      ("0", nil, .zero), ("120", nil, .seconds(120)), (" 7 ", nil, .seconds(7)),
      ("99999999999999999999", nil, .seconds(Int64.max)), ("-1", nil, nil), ("1.5", nil, nil), ("", nil, nil),
      ("1, 2", nil, nil), ("soon", nil, nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", .seconds(30)),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", .seconds(30)),
      ("Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:07 GMT", .seconds(30)),
      ("Sun, 06 Nov 1994 08:49:00 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", .zero),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, .seconds(17)),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "yesterday", .seconds(17)),
      ("Sun, 36 Nov 1994 08:49:37 GMT", nil, nil), ("Tue, 15\u{5B1} Nov 1994 08:12:31 GMT", nil, nil),
    ] as [(String, String?, Duration?)])
  func retryAfter(field: String, date: String?, delay: Duration?) throws {
    var fields = ["Retry-After": field]
    fields["Date"] = date
    // 1994-11-06 08:49:20 UTC, ten seconds before the dates above are due.
    let now = Date(timeIntervalSince1970: 784_111_760)
    #expect(RetryAfter.delay(in: try Self.head(503, fields), at: now) == delay)
    #expect(RetryAfter.delay(in: try Self.head(503), at: now) == nil)
  }

  @Test("the wait is a random part of a delay that doubles up to a limit, plus what the server asks for")
  func delays() throws {
    let policy = HTTPRetryPolicy(
      backoff: .exponential(from: .seconds(1), upTo: .seconds(4), limit: 4, jitter: 1),
      longestRetryAfter: .seconds(10))
    let (busy, busyFor10) = (try Self.head(503), try Self.head(503, ["Retry-After": "10"]))
    let plain = Self.delays(policy, after: .success((Data(), busy)))
    #expect(plain.count == 4)
    for (delay, limit) in zip(plain, [1, 2, 4, 4]) {
      #expect((.zero...Duration.seconds(limit)).contains(delay))
    }
    #expect(Set(plain).count == 4)
    #expect(Self.delays(policy, after: .success((Data(), busyFor10))) == plain.map { .seconds(10) + $0 })
    let tooLong = try Self.head(503, ["Retry-After": "11"])
    #expect(Self.delays(policy, after: .success((Data(), tooLong))) == [])
  }

  @Test("the longest waits do not overflow")
  func longestWaits() throws {
    let longest = Duration(attoseconds: .max)
    let policy = HTTPRetryPolicy(backoff: .constant(longest, limit: 1), longestRetryAfter: longest)
    let busy = try Self.head(503, ["Retry-After": "9223372036854775807"])
    #expect(Self.delays(policy, after: .success((Data(), busy))) == [.century * 2])
  }

  /// The waits of a read that always fails like this.
  private static func delays(
    _ policy: HTTPRetryPolicy, after outcome: Result<TransportResponse, any Error>
  ) -> [Duration] {
    var retries = HTTPRetries(policy, using: SplitMix64(seed: 1))
    let read = URLRequest(url: StorefrontClient.shop)
    return Array(sequence(state: ()) { _ in retries.delay(after: outcome, to: read, at: Date()) }.prefix(10))
  }

  @Test("a read is sent again after each wait, until it succeeds", arguments: ServiceForm.allCases)
  func success(form: ServiceForm) async throws {
    let client = try client(form)
    let read = Task { try await client.orders() }
    for (number, wait) in [(1, 1), (2, 2), (3, 2)] {
      if number == 2 {
        try await transport.fail(number, with: URLError(.networkConnectionLost))
      } else {
        try await transport.answer(number, 503)
      }
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(wait) - .nanoseconds(1))
      #expect(clock.sleeperCount == 2)
      #expect(transport.requests.count == number)
      clock.advance(by: .nanoseconds(1))
    }
    try await transport.answer(4)
    #expect(try await read.value == [])
    #expect(Set(transport.requests).count == 1)
  }

  @Test("after the last retry, the caller gets the last failure", arguments: ServiceForm.allCases)
  func limit(form: ServiceForm) async throws {
    let client = try client(form, retry: HTTPRetryPolicy(backoff: .constant(.seconds(1), limit: 1)))
    let read = Task { try await client.orders() }
    try await transport.fail(1, with: ServiceError.connectionLost)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    try await transport.answer(2, 502, body: #"{"error":"busy"}"#)
    await #expect(throws: ServiceError.status(code: 502, message: "busy")) { try await read.value }
  }

  @Test(
    "a wait that would not end before the deadline does not begin", arguments: ServiceForm.allCases, [5, 4])
  func deadline(form: ServiceForm, asked: Int) async throws {
    let client = try client(form, deadline: .seconds(5))
    let read = Task { try await client.orders() }
    // With the first wait of 1 s, 4 s end at the deadline.
    try await transport.answer(1, 429, ["Retry-After": "\(asked)"], body: #"{"error":"slow down"}"#)
    await #expect(throws: ServiceError.status(code: 429, message: "slow down")) { try await read.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("a cancelled caller is not sent again", arguments: ServiceForm.allCases)
  func cancellation(form: ServiceForm) async throws {
    let client = try client(form)
    let read = Task { try await client.orders() }
    try await transport.answer(1, 503)
    await clock.waitForSleepers(2)
    read.cancel()
    await #expect(throws: CancellationError.self) { try await read.value }
    try await until { clock.sleeperCount == 0 }
    clock.advance(by: .seconds(60))
    #expect(transport.requests.count == 1)
  }

  @Test("a request that waits for its retry gives its place to another one", arguments: ServiceForm.allCases)
  func place(form: ServiceForm) async throws {
    let client = try client(form, connections: 1)
    let first = Task { try await client.search("first") }
    try await transport.answer(1, 503)
    await clock.waitForSleepers(2)
    let second = Task { try await client.search("second") }
    try await transport.answer(2, body: #"{"items":[],"next":null}"#)
    #expect(try await second.value == [])
    clock.advance(by: .seconds(1))
    try await transport.answer(3, body: #"{"items":[],"next":null}"#)
    #expect(try await first.value == [])
    #expect(
      transport.requests.compactMap { $0.url?.query() } == [
        "q=first&size=50", "q=second&size=50", "q=first&size=50",
      ])
  }

  @Test("a server that asks for time gets it, over the network", arguments: ServiceForm.allCases)
  func overHTTP(form: ServiceForm) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
    // The idle time is real time.
    let options = HTTPOptions(
      limits: HTTPLimits(idleTimeout: .seconds(600)), retry: Self.policy, clock: clock)
    let client = try StorefrontClient.http(form, try server.start(), options: options)
    server.fail(with: .retryLater(503, after: "7"))
    let read = Task { try await client.orders() }
    await server.waitForRequests(1)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(8) - .nanoseconds(1))
    #expect(server.requestCount == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(try await read.value == server.catalog.orders)
    #expect(server.requestCount == 2)
    server.fail(with: .status(404))
    await #expect(throws: ServiceError.notFound("GET /orders: scripted failure")) {
      try await client.orders()
    }
  }

  @Test("a storefront is deallocated after a retry", arguments: ServiceForm.allCases)
  func lifetime(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let client = try client(form)
      tracker.track(client.service, "storefront")
      let read = Task { try await client.orders() }
      try await transport.answer(1, 503)
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(1))
      try await transport.answer(2)
      #expect(try await read.value == [])
    }
  }

  @Test("by default, a read is sent at most three times")
  func defaultPolicy() {
    let delays = Self.delays(HTTPRetryPolicy(), after: .failure(ServiceError.connectionLost))
    #expect(delays.count == 2)
    for (delay, limit) in zip(delays, [0.2, 0.4]) {
      #expect((.zero...Duration.seconds(limit)).contains(delay))
    }
    #expect(Self.delays(.none, after: .failure(ServiceError.connectionLost)) == [])
  }
}
