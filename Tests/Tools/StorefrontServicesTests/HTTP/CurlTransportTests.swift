#if os(Linux)
  import AsyncViewModels
  import AsyncViewModelsTesting
  import Foundation
  import FoundationNetworking
  import StorefrontDomain
  import StorefrontLoopbackServer
  import StorefrontTesting
  import Synchronization
  import Testing

  @testable import StorefrontServices

  @Suite("The libcurl transport", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
  struct CurlTransportTests {
    private let server = LoopbackHTTPServer(catalog: .seeded(count: 3))
    private let url: URL

    init() throws { url = try server.start() }

    private func transport(idleTimeout: Duration = .seconds(600)) throws -> CurlTransport {
      try #require(CurlTransport(limits: HTTPLimits(idleTimeout: idleTimeout)))
    }

    private func send(_ request: URLRequest, over transport: CurlTransport) async throws -> TransportResponse
    {
      try await withCompletionHandler { transport.send(request, completion: $0) }
    }

    @Test(
      "a request arrives with its method, its path, its body and its headers",
      arguments: [
        ("GET", nil), ("DELETE", nil), ("POST", 0), ("POST", 2), ("PUT", 1), ("PATCH", nil),
        ("POST", 1_000_000),
      ] as [(String, Int?)])
    func request(method: String, bodyLength: Int?) async throws {
      server.recordRequests()
      var request = URLRequest(url: try #require(URL(string: "\(url)/a/../b%2Fc?q=%20")))
      request.httpMethod = method
      let body = bodyLength.map { String(repeating: "x", count: $0) }
      request.httpBody = body.map { Data($0.utf8) }
      request.setValue("1", forHTTPHeaderField: "X-Number")
      request.allHTTPHeaderFields?["X-Text"] = "two\r\nX-Injected: yes\0"
      request.setValue("", forHTTPHeaderField: "X-Empty")
      request.setValue("999", forHTTPHeaderField: "Content-Length")
      _ = try await send(request, over: try transport())
      let received = try #require(server.recordedRequests.first)
      #expect(received.line == "\(method) /a/../b%2Fc?q=%20 HTTP/1.1")
      #expect(received.body == body ?? "")
      #expect(received.headers["x-number"] == "1")
      #expect(received.headers["x-text"] == "two  X-Injected: yes")
      #expect(received.headers["x-empty"] == "")
      #expect(received.headers["x-injected"] == nil)
      #expect(received.headers["content-length"] == body.map { "\($0.utf8.count)" })
      #expect(received.headers["content-type"] == nil)
    }

    @Test("without a free file descriptor, a request fails, and the next one that finds one is sent")
    func noDescriptor() async throws {
      let attempts = Tally()
      let transport = CurlTransport(bodyLength: 1 << 20) {
        attempts.increment()
        return attempts.count > 2 ? CurlWorker(limits: HTTPLimits(), now: { ContinuousClock.now }) : nil
      }
      let request = URLRequest(url: try #require(URL(string: "\(url)/orders")))
      for _ in 1...2 {
        await #expect(throws: ServiceError.unreachable("the app has too many open files")) {
          try await send(request, over: transport)
        }
      }
      for _ in 1...2 { #expect(try await send(request, over: transport).head.statusCode == 200) }
      #expect(attempts.count == 3)
    }

    @Test(
      "a header whose name is not a token is left out",
      arguments: ["Host:", "Content-Length: 5", "X\r\nHost", "X Y", "Größe", "", ":"])
    func malformedNames(name: String) throws {
      var request = URLRequest(url: url)
      request.allHTTPHeaderFields = [name: "1", "X-!#$%&'*+.^_`|~09az": "2"]
      let lines = CurlHeaders.lines(of: request)
      #expect(lines.filter { $0.contains("1") } == [])
      #expect(lines.contains("X-!#$%&'*+.^_`|~09az: 2"))
    }

    @Test("reads share a connection, and each write has its own")
    func connections() async throws {
      let transport = try transport()
      let read = URLRequest(url: url.appending(path: "profile"))
      for _ in 0..<3 { _ = try await send(read, over: transport) }
      #expect(server.connectionCount == 1)
      var write = read
      write.httpMethod = "PUT"
      for _ in 0..<3 { _ = try await send(write, over: transport) }
      _ = try await send(read, over: transport)
      #expect(server.connectionCount == 4)
    }

    @Test("a response for which no request has asked is not taken for the next response")
    func unaskedResponse() async throws {
      let transport = try transport()
      let read = URLRequest(url: url.appending(path: "profile"))
      let body = try await send(read, over: transport).body
      let other = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"
      for round in 1...3 {
        await server.sendUnasked(Array(other.utf8))
        let answer = try await send(read, over: transport)
        #expect(String(decoding: answer.body, as: UTF8.self) == String(decoding: body, as: UTF8.self))
        #expect(server.connectionCount == 1 + round, "the connection is not used again")
        _ = try await send(read, over: transport)
        #expect(server.connectionCount == 1 + round, "the new connection is used again")
      }
    }

    @Test("a request that accepts no compression receives the body as it was sent")
    func withoutDecompression() async throws {
      server.recordRequests()
      let bytes = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
      server.fail(with: .bytes(Array(bytes.utf8), end: .next))
      var request = URLRequest(url: url.appending(path: "profile"))
      request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      let answer = try await send(request, over: try transport())
      #expect(answer.body == Data("abc".utf8))
      #expect(server.recordedRequests.first?.headers["accept-encoding"] == "identity")
    }

    @Test("a transport ends its thread and closes its connections when it is released")
    func lifetime() async throws {
      try await LeakTracker.check { tracker in
        let transport = try transport()
        tracker.track(transport, "transport")
        _ = try await send(URLRequest(url: url.appending(path: "profile")), over: transport)
      }
      await server.waitForEndedConnections(1)
      try Task.checkCancellation()
    }

    @Test("a response that began before the transport was released still arrives")
    func releasedEarly() async throws {
      server.fail(with: .hold)
      let request = URLRequest(url: url.appending(path: "profile"))
      var transport: CurlTransport? = try transport()
      let receiver = RecordingReceiver()
      let token = transport?.send(request, to: receiver)
      await server.waitForRequests(1)
      transport = nil
      server.release()
      await receiver.ended.wait()
      #expect(receiver.calls.first == "head 200")
      #expect(receiver.calls.last == "end nil")
      await server.waitForEndedConnections(1)
      token?.cancel()
    }

    @Test("the idle time of a request begins again with each byte, and ends that request only")
    func measuredIdleTime() async throws {
      let jump = Mutex(Duration.zero)
      let transport = try #require(
        CurlTransport(limits: HTTPLimits(idleTimeout: .seconds(600_000))) {
          ContinuousClock.now + jump.withLock { $0 }
        })
      server.fail(with: .bytes(Array("HTTP/1.1 200 OK\r\n\r\nx".utf8), end: .silence))
      let receiver = RecordingReceiver()
      let token = transport.send(URLRequest(url: url.appending(path: "profile")), to: receiver)
      await receiver.firstPart.wait()
      // Each further request wakes the thread of the transport, which then reads the time. The jumps are long, because real
      // time passes too.
      for seconds in [300_000, 550_000] {
        jump.withLock { $0 = .seconds(seconds) }
        _ = try await send(URLRequest(url: url.appending(path: "profile")), over: transport)
        #expect(receiver.calls == ["head 200", "x"], "after \(seconds) s")
      }
      jump.withLock { $0 = .seconds(1_200_000) }
      _ = try await send(URLRequest(url: url.appending(path: "profile")), over: transport)
      await receiver.ended.wait()
      #expect(receiver.calls.last == "end \(ServiceError.timedOut)")
      withExtendedLifetime(token) {}
    }

    @Test("a server that is silent for a part of a second causes a `timedOut` error")
    func idleTimeout() async throws {
      server.fail(with: .bytes(Array("HTTP/1.1 200 OK\r\n".utf8), end: .silence))
      let transport = try transport(idleTimeout: .milliseconds(30))
      await #expect(throws: ServiceError.timedOut) {
        try await send(URLRequest(url: url.appending(path: "profile")), over: transport)
      }
      await server.waitForEndedConnections(1)
    }

    @Test("a response that takes longer than the idle timeout arrives if no pause is that long")
    func slow() async throws {
      let jump = Mutex(Duration.zero)
      let transport = try #require(
        CurlTransport(limits: HTTPLimits(idleTimeout: .seconds(600_000))) {
          ContinuousClock.now + jump.withLock { $0 }
        })
      let receiver = RecordingReceiver()
      let token = transport.send(URLRequest(url: url.appending(path: "feed")), to: receiver)
      await server.waitForOpenedFeeds(1)
      for number in 1...4 {
        server.sendToFeeds(Array("x".utf8))
        await receiver.waitForCalls(1 + number)
        jump.withLock { $0 += .seconds(400_000) }
        // This request wakes the thread of the transport, which then reads the time.
        _ = try await send(URLRequest(url: url.appending(path: "profile")), over: transport)
      }
      server.cutFeeds()
      await receiver.ended.wait()
      #expect(receiver.calls == ["head 200", "x", "x", "x", "x", "end nil"])
      withExtendedLifetime(token) {}
    }

    @Test("a cancelled request does not call its receiver again")
    func cancellation() async throws {
      let transport = try transport()
      server.fail(with: .bytes(Array("HTTP/1.1 200 OK\r\n\r\nx".utf8), end: .silence))
      let receiver = RecordingReceiver()
      let token = transport.send(URLRequest(url: url.appending(path: "profile")), to: receiver)
      await receiver.firstPart.wait()
      token.cancel()
      await server.waitForEndedConnections(1)
      #expect(receiver.calls == ["head 200", "x"])
    }

    @Test("a receiver that stops a response receives nothing more but the end", arguments: [1, 2])
    func stopped(after calls: Int) async throws {
      let transport = try transport()
      let endless = Array(String(repeating: "x", count: 1_000).utf8)
      server.fail(with: .bytes(Array("HTTP/1.1 200 OK\r\n\r\nx".utf8), end: .endless(endless)))
      let receiver = RecordingReceiver(limit: calls)
      let token = transport.send(URLRequest(url: url.appending(path: "profile")), to: receiver)
      await receiver.ended.wait()
      #expect(receiver.calls.count == calls + 1)
      #expect(receiver.calls.last == "end nil")
      await server.waitForEndedConnections(1)
      token.cancel()
    }

    @Test(
      "a result of libcurl becomes an error that a caller can act on",
      arguments: [
        (1, 0, .malformed("it is not HTTP")), (6, 0, .unreachable("the host is unknown")),
        (7, ECONNREFUSED, .unreachable("the host does not accept the connection")),
        (7, ENETUNREACH, .offline),
        (18, 0, .connectionLost), (28, 0, .timedOut), (27, 0, .malformed("its head is too long")),
        (35, 0, .insecure), (52, 0, .connectionLost), (56, ECONNRESET, .connectionLost), (60, 0, .insecure),
        (61, 0, .malformed("its body cannot be decompressed")), (999, 0, .connectionLost),
      ] as [(CInt, CInt, ServiceError)])
    func errors(result: CInt, systemError: CInt, expected: ServiceError) {
      #expect(CurlFailure.error(result, systemError: systemError) == expected)
    }
  }

  /// Records the calls, and stops the response after a number of calls.
  private final class RecordingReceiver: HTTPReceiver {
    let firstPart = Gate()
    let ended = Gate()
    private let limit: Int
    private let recorded = Monitor<[String]>([])

    init(limit: Int = .max) { self.limit = limit }

    var calls: [String] { recorded.snapshot }

    /// Waits until at least `count` calls are recorded, or the response has ended.
    func waitForCalls(_ count: Int) async {
      _ = await recorded.waitUnlessCancelled { $0.count >= count || $0.last?.hasPrefix("end") == true }
    }

    private func record(_ call: String) -> Bool {
      recorded.update {
        $0.append(call)
        return $0.count < limit
      }
    }

    func receive(_ head: HTTPURLResponse) -> Bool { record("head \(head.statusCode)") }

    func receive(_ part: Data) -> Bool {
      defer { firstPart.open() }
      return record(String(decoding: part.prefix(1), as: UTF8.self))
    }

    func end(with error: ServiceError?) {
      _ = record("end \(error.map { "\($0)" } ?? "nil")")
      ended.open()
    }
  }
#endif
