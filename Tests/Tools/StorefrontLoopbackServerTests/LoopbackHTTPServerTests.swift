import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@Suite("LoopbackHTTPServer: connections", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct LoopbackHTTPServerTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 100))
  private let url: URL

  init() throws {
    url = try server.start()
  }

  private func answer(to request: String) throws -> String {
    try RawConnection.answer(to: request, from: url)
  }

  @Test(
    "a request that the server cannot parse gets an error status, and the connection ends",
    arguments: [
      ("hello\r\n\r\n", "400"), ("\0\u{1}\u{2}\r\n\r\n", "400"), ("GET / HTTP/2.0\r\n\r\n", "505"),
      ("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", "400"), ("GET /profile\r\n\r\n", "400"),
      ("GET  /profile HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\n: empty\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\n\r\n", "400"), ("GET /profile HTTP/1.1\r\nX: a\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\n\r\n", "400"), ("GET /profile HTTP/1.1\nHost: x\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\n\n", "400"), ("\nGET /profile HTTP/1.0\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nX(: a\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nX : a\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", "400"),
      ("GET /profile HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\ncontent-type: a/b\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\nHost: x\r\nIdempotency-Key: \"a\"\r\nIdempotency-Key: \"a\"\r\n\r\n", "400"),
      ("GET /feed HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 1\r\nLast-Event-ID: 1\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", "413"),
      ("POST /cart/changes HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n", "413"),
      ("POST /cart/changes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "501"),
      (
        Excerpt("GET /profile HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n"),
        "431"
      ),
      (Excerpt(String(repeating: "x", count: 20_000)), "431"),
    ] as [(Excerpt, String)])
  func malformed(request: Excerpt, status: String) throws {
    let text = try answer(to: request.text + "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 \(status) "))
    #expect(text.matches(of: /HTTP\/1.1 \d/).count == 1, "later requests on the connection are not answered")
    #expect(
      try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 200 "),
      "other connections are still served")
  }

  @Test("random bytes do not stop the server")
  func noise() throws {
    var state: UInt64 = 42
    func number(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<200 {
      let connection = try RawConnection(to: url)
      connection.send((0..<number(below: 2_000)).map { _ in UInt8(number(below: 256)) })
      connection.endOutput()
      _ = connection.readToEnd()
    }
    #expect(try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
  }

  @Test("pipelined requests are answered in order")
  func pipelining() throws {
    let requests = (1...100).map { "GET /products/\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
    let text = try answer(to: requests)
    let ids = text.matches(of: /"id":(\d+)/).compactMap { Int($0.1) }
    #expect(ids == Array(1...100))
    #expect(server.connectionCount == 1)
  }

  @Test("a handler answers instead of the routes, and its token is cancelled if the client disconnects")
  func handler() async throws {
    let calls = ScriptedCalls<String, HTTPResponse>()
    server.answer { request, completion in
      calls(request.target) { result in completion((try? result.get()) ?? .error(500, "cancelled")) }
    }
    let connection = try RawConnection(to: url)
    connection.send("GET /any?q=1 HTTP/1.1\r\nHost: x\r\n\r\n")
    let call = try await calls.next()
    #expect(call.request == "/any?q=1")
    call.succeed(.json(["answer": 42], status: 201))
    connection.send("GET /more HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    try await calls.next().succeed(.error(404, "no more"))
    let text = connection.readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 201 "))
    #expect(text.contains(#"{"answer":42}"#))
    #expect(text.contains("HTTP/1.1 404 "))

    let leaving = try RawConnection(to: url)
    leaving.send("GET /left HTTP/1.1\r\nHost: x\r\n\r\n")
    let left = try await calls.next()
    leaving.endOutput()
    await left.waitForCancellation()
    #expect(left.isCancelled)
    #expect(leaving.readToEnd() == "")
  }

  @Test("a request that arrives byte by byte is answered")
  func slowClient() throws {
    let connection = try RawConnection(to: url)
    let body = #"{"product": 1, "delta": 1}"#
    for byte in rawRequest("POST", "/cart/changes", body: body).utf8 { connection.send([byte]) }
    connection.endOutput()
    #expect(connection.readToEnd().hasSuffix(#"{"product":1,"quantity":1}"#))
  }

  @Test("a client that reads no answers, or disconnects during an answer, does not block other clients")
  func stalledClients() throws {
    let stalled = try RawConnection(to: url)
    let request = "GET /products?size=1000 HTTP/1.1\r\nHost: x\r\n\r\n"
    stalled.send(String(repeating: request, count: 100))
    for _ in 0..<20 {
      let gone = try RawConnection(to: url)
      gone.send(String(repeating: request, count: 20))
    }
    #expect(try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    stalled.endOutput()
    #expect(stalled.readToEnd().components(separatedBy: "HTTP/1.1 200 OK").count == 101)
  }

  @Test("the connection stays open unless the client asks to close it")
  func keepAlive() throws {
    let connection = try RawConnection(to: url)
    connection.send(
      "GET /profile HTTP/1.1\r\nHost: x\r\n\r\nGET /profile HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let text = connection.readToEnd()
    #expect(text.components(separatedBy: "Connection: keep-alive").count == 2)
    #expect(text.components(separatedBy: "Connection: close").count == 2)
  }

  @Test("a connection of HTTP/1.0 stays open only if the client asks for it")
  func keepAliveOfHTTP10() throws {
    let connection = try RawConnection(to: url)
    connection.send(
      "GET /profile HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET /profile HTTP/1.0\r\n\r\n"
        + "GET /profile HTTP/1.0\r\n\r\n")
    let text = connection.readToEnd()
    #expect(text.components(separatedBy: "Connection: keep-alive").count == 2)
    #expect(text.components(separatedBy: "Connection: close").count == 2, "the third request is not answered")
  }

  @Test("a client can send more pipelined requests than the server reads at once")
  func longPipeline() throws {
    let padding = String(repeating: "x", count: 1_000)
    let ids = (0..<1_000).map { $0 % 100 + 1 }
    let requests = ids.map { "GET /products/\($0) HTTP/1.1\r\nHost: x\r\nX-Padding: \(padding)\r\n\r\n" }
    let text = try answer(to: requests.joined())
    #expect(text.matches(of: /"id":(\d+)/).compactMap { Int($0.1) } == ids)
  }

  @Test("the peak of the open connections does not go down when connections end")
  func peak() async throws {
    let (url, get) = (url, "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n")
    let first = try RawConnection(to: url)
    let second = try RawConnection(to: url)
    first.send(get)
    second.send(get)
    await server.waitForRequests(2)
    for text in [first.end(), second.end()] { #expect(text.hasPrefix("HTTP/1.1 200 ")) }
    await server.waitForEndedConnections(2)
    #expect(try answer(to: get).hasPrefix("HTTP/1.1 200 "))
    #expect(server.peakConnectionCount == 2)
  }

  @Test("HEAD is answered like GET, without the body")
  func head() throws {
    let text = try answer(
      to: "HEAD /profile HTTP/1.1\r\nHost: x\r\n\r\nGET /profile HTTP/1.1\r\nHost: x\r\n\r\n")
    let answers = text.components(separatedBy: "\r\n\r\n")
    #expect(answers.count == 3)
    #expect(answers.first == answers.dropFirst().first)
  }

  @Test("with a fault, the answer to HEAD has the headers of the answer to GET, but no body")
  func headWithFault() throws {
    for fault in [LoopbackFault.status(503), .body("nonsense"), .truncate, .delay(.milliseconds(1))] {
      let answers = try ["HEAD", "GET"].map { method in
        server.fail(with: fault, on: "/profile")
        return try answer(to: "\(method) /profile HTTP/1.1\r\nHost: x\r\n\r\n").components(
          separatedBy: "\r\n\r\n")
      }
      #expect(answers[0] == [answers[1][0], ""], "\(fault)")
      #expect(answers[1][1] != "", "\(fault)")
    }
  }

  @Test(
    "the error for another version of HTTP names the supported versions", arguments: ["2.0", "1.2", "0.9"])
  func versions(version: String) throws {
    for supported in ["1.0", "1.1"] {
      #expect(try answer(to: "GET /profile HTTP/\(supported)\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
    #expect(
      try answer(to: "GET /profile HTTP/\(version)\r\n\r\n")
        .hasSuffix(#"{"error":"only HTTP/1.0 and HTTP/1.1 are supported"}"#))
  }

  @Test("requests after `recordRequests()` are recorded with first line, headers and unchanged body")
  func recording() throws {
    _ = try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(server.recordedRequests.isEmpty)
    server.recordRequests()
    let body = #"{"product": 1, "delta": 1}"#
    _ = try answer(
      to: "POST //cart/changes?a=%26 HTTP/1.1\r\nHost: x\r\nX-One:  1: 2\r\nx-one: 3\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)GET /orders HTTP/1.0\r\n\r\n")
    let requests = server.recordedRequests
    #expect(requests.map(\.line) == ["POST //cart/changes?a=%26 HTTP/1.1", "GET /orders HTTP/1.0"])
    #expect(requests.map(\.headers) == [["host": "x", "x-one": "1: 2, 3", "content-length": "26"], [:]])
    #expect(requests.map(\.body) == [body, ""])
  }

  @Test("a request with blanks around a value after empty lines is recorded as the server understands it")
  func lenientRecording() throws {
    server.recordRequests()
    let body = #"{"product": 1, "delta": 1}"#
    let text = try answer(
      to: "\r\n\r\nPOST /cart/changes HTTP/1.1\r\nHost: x\r\nX-One: \t1: 2 \t\r\n"
        + "Content-Type: application/json\r\nIdempotency-Key: \"k\"\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(text.hasSuffix(#"{"product":1,"quantity":1}"#))
    let requests = server.recordedRequests
    #expect(requests.map(\.line) == ["POST /cart/changes HTTP/1.1"])
    #expect(
      requests.map(\.headers) == [
        [
          "host": "x", "x-one": "1: 2", "content-length": "26", "content-type": "application/json",
          "idempotency-key": "\"k\"",
        ]
      ])
    #expect(requests.map(\.body) == [body])
  }

  @Test("a client that sends more while the handler prepares an answer is no longer read at a limit")
  func inputLimit() throws {
    server.answer { request, completion in
      if request.target == "/other" { completion(.json(["other": 1])) }
      return CancellationToken {}
    }
    let connection = try RawConnection(to: url)
    connection.send("GET /waiting HTTP/1.1\r\nHost: x\r\n\r\n")
    let bytes = [UInt8](repeating: 0, count: 1024 * 1024)
    var sent = 0
    // Each answer to another client shows that the server has polled this connection, too.
    for _ in 1...400 {
      sent += connection.sendWithoutWaiting(bytes)
      try #require(try answer(to: "GET /other HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
    // The system buffers some megabytes that the server has not read.
    #expect(sent < 12 * 1024 * 1024)
  }

  @Test("a stop, even a second one at the same time, returns after the connections and the port are closed")
  func closedPort() async throws {
    var (url, refused) = (self.url, 0)
    let rounds = 20
    for round in 1...rounds {
      let (begun, ended, closed, waited) = (Gate(), Gate(), Tally(), Tally())
      server.answer { [weak server] _, _ in
        // The server's thread releases the token while it closes the connections.
        CancellationToken {
          Thread.detachNewThread {
            begun.open()
            server?.stop()
            if closed.count == 1 { waited.increment() }
            ended.open()
          }
          while !begun.isOpen { sched_yield() }
          for _ in 1...1_000 where !ended.isOpen { sched_yield() }
          closed.increment()
        }
      }
      let connection = try RawConnection(to: url)
      connection.send("GET /waiting HTTP/1.1\r\nHost: x\r\n\r\n")
      await server.waitForRequests(round)
      server.stop()
      #expect(closed.count == 1, "the first stop waits")
      try await ended.waitUnlessCancelled()
      #expect(waited.count == 1, "the second stop waits")
      let isClosed = connection.isClosedByPeer()
      #expect(isClosed)
      do { _ = try RawConnection(to: url) } catch { refused += 1 }
      url = try server.start()
    }
    // The server of another test can receive a port that was free again.
    #expect(refused > rounds / 2)
  }

  @Test("a stopped server has closed its connections and can start again")
  func restart() throws {
    let open = try RawConnection(to: url)
    server.stop()
    #expect(open.readToEnd().isEmpty)
    let again = try RawConnection(to: try server.start())
    again.send("GET /profile HTTP/1.0\r\n\r\n")
    #expect(again.readToEnd().hasPrefix("HTTP/1.1 200 "))
    server.stop()
    server.stop()
  }

  @Test("a server that is released while it runs closes its connections and is deallocated")
  func lifetime() async throws {
    func connectionToReleasedServer(_ tracker: LeakTracker) async throws -> RawConnection {
      let server = tracker.track(LoopbackHTTPServer(catalog: .seeded(count: 1)))
      server.fail(with: .hold)
      let connection = try RawConnection(to: try server.start())
      connection.send("GET /profile HTTP/1.1\r\nHost: x\r\n\r\n")
      await server.waitForRequests(1)
      return connection
    }
    try await LeakTracker.check { tracker in
      let connection = try await connectionToReleasedServer(tracker)
      let isClosed = connection.isClosedByPeer()
      #expect(isClosed)
    }
  }
}
