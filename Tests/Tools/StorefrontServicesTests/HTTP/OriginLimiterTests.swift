import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The limit of the requests that run at the same time to one origin.
@Suite("Requests to one origin", .timeLimit(.minutes(5)), .endsWaits)
struct OriginLimiterTests {
  private let origin: HTTPOrigin

  init() throws { origin = try #require(HTTPOrigin(StorefrontClient.shop)) }

  @Test("a place goes to the waiter that came first and still waits")
  func rule() {
    var line = WaitingLine<String>(limit: 2)
    let entered = ["a", "b", "c", "d", "e"].enumerated().map { line.enter(UInt64($0), $1) }
    #expect(entered == [true, true, false, false, false])
    let (removed, removedTwice, running) = (line.stopWaiting(2), line.stopWaiting(2), line.stopWaiting(0))
    #expect([removed, removedTwice, running] == ["c", nil, nil])
    let next = [line.leave(), line.leave(), line.leave()]
    #expect(next == ["d", "e", nil])
    #expect(!line.isEmpty)
    let last = line.leave()
    #expect(last == nil)
    #expect(line.isEmpty)
  }

  @Test("the scheme, the host and the port identify an origin")
  func origins() {
    func origin(_ text: String) -> HTTPOrigin? { HTTPOrigin(URL(string: text)) }
    #expect(origin("http://a.example/x?y") == origin("HTTP://A.example:80"))
    #expect(origin("https://a.example") == origin("https://a.example:443/x"))
    for other in ["https://a.example", "http://b.example", "http://a.example:81", "https://a.example:80"] {
      #expect(origin("http://a.example") != origin(other))
    }
    #expect(origin("ftp://a.example") == nil)
    #expect(origin("http:///x") == nil)
  }

  @Test("requests wait in the order of their calls, and a cancelled one leaves the others in their order")
  func order() async throws {
    try await LeakTracker.check { tracker in
      let (limiter, log, gate) = (tracker.track(OriginLimiter(limit: 1)), Notes(), Gate())
      var tasks: [Task<Void, any Error>] = []
      for (index, name) in ["a", "b", "c", "d", "e"].enumerated() {
        tasks.append(
          Task {
            try await limiter.withPlace(at: origin) {
              log.add(name)
              await gate.wait()
            }
          })
        try await until { index == 0 ? gate.waitingCount == 1 : limiter.waitingCount(for: origin) == index }
      }
      let cancelled = tasks.remove(at: 2)
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(limiter.waitingCount(for: origin) == 3)
      #expect(log.all == ["a"])
      gate.open()
      for task in tasks { try await task.value }
      #expect(log.all == ["a", "b", "d", "e"])
      #expect(limiter.originCount == 0)
    }
  }

  @Test("a request that is cancelled while it gets its place passes the place on")
  func cancellationRace() async throws {
    let limiter = OriginLimiter(limit: 1)
    for round in 0..<200 {
      let gate = Gate()
      let holder = Task { try await limiter.withPlace(at: origin) { await gate.wait() } }
      await gate.waitForArrivals(1)
      let waiter = Task { try await limiter.withPlace(at: origin) {} }
      try await until { limiter.waitingCount(for: origin) == 1 }
      async let cancelled: Void = {
        for _ in 0..<(round % 10) { await Task.yield() }; waiter.cancel()
      }()
      gate.open()
      _ = await (waiter.result, cancelled)
      try await holder.value
      try await limiter.withPlace(at: origin) {}
    }
    try await until { limiter.originCount == 0 }
  }

  @Test("requests to different origins do not wait for each other")
  func differentOrigins() async throws {
    let (limiter, gate) = (OriginLimiter(limit: 1), Gate())
    let holder = Task { try await limiter.withPlace(at: origin) { await gate.wait() } }
    await gate.waitForArrivals(1)
    let other = try #require(HTTPOrigin(URL(string: "https://shop.example")))
    try await limiter.withPlace(at: other) {}
    gate.open()
    try await holder.value
  }

  @Test("a storefront sends at most as many requests at a time as its limit", arguments: ServiceForm.allCases)
  func limit(form: ServiceForm) async throws {
    let (transport, clock) = (ScriptedTransport(), VirtualClock())
    let options = HTTPOptions(limits: HTTPLimits(connections: 2), retry: .none, clock: clock)
    let client = try StorefrontClient.http(form, StorefrontClient.shop, over: transport, options: options)
    let reads = (1...6).map { number in Task { try await client.search("\(number)") } }
    let writes = (1...2).map { _ in Task { try await client.deletePost(1) } }
    await clock.waitForSleepers(8)
    for number in 1...8 {
      // An answer frees a place. The next request must be open before, or a slow task would hide that two can be open.
      await transport.waitForRequests(min(number + 1, 8))
      let request = try #require(transport.requests.dropFirst(number - 1).first)
      let isWrite = request.httpMethod == "DELETE"
      try await transport.answer(number, body: isWrite ? #"{"deleted":1}"# : #"{"items":[],"next":null}"#)
    }
    for read in reads { #expect(try await read.value == []) }
    for write in writes { try await write.value }
    #expect(transport.peakOpenCount == 2)
  }

  @Test("the wait for a place counts toward the deadline", arguments: ServiceForm.allCases)
  func deadline(form: ServiceForm) async throws {
    let (transport, clock) = (ScriptedTransport(), VirtualClock())
    let limits = HTTPLimits(deadline: .seconds(60), connections: 1)
    let options = HTTPOptions(limits: limits, retry: .none, clock: clock)
    let client = try StorefrontClient.http(form, StorefrontClient.shop, over: transport, options: options)
    let first = Task { try await client.search("first") }
    await transport.waitForRequests(1)
    let second = Task { try await client.search("second") }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(60))
    for task in [first, second] { await #expect(throws: ServiceError.timedOut) { try await task.value } }
    let third = Task { try await client.search("third") }
    // An abandoned request can still be open when its call has ended. The third request gets the place after it.
    try await until { transport.requests.last?.url?.query() == "q=third&size=50" }
    let sent = transport.requests.count
    // If the second request was waiting at its deadline, it was never sent.
    try await transport.answer(sent, body: #"{"items":[],"next":null}"#)
    #expect(try await third.value == [])
    #expect(transport.requests.count == sent)
  }
}
