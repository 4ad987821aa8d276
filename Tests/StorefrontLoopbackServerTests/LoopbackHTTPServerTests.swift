import AsyncViewModelsTesting
import Foundation
import StorefrontLoopbackServer
import Testing

@Suite("LoopbackHTTPServer: connections", .timeLimit(.minutes(1)))
struct LoopbackHTTPServerTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 100))
  private let url: URL

  init() throws {
    url = try server.start()
  }

  private func answer(to request: String) throws -> String {
    let connection = try RawConnection(to: url)
    connection.send(request)
    connection.endOutput()
    return connection.readToEnd()
  }

  @Test(
    "a request that the server cannot parse gets an error status, and the connection ends",
    arguments: [
      ("hello\r\n\r\n", "400"), ("\0\u{1}\u{2}\r\n\r\n", "400"), ("GET / HTTP/2.0\r\n\r\n", "505"),
      ("GET http://x/ HTTP/1.1\r\n\r\n", "400"), ("GET /profile\r\n\r\n", "400"),
      ("GET  /profile HTTP/1.1\r\n\r\n", "400"), ("GET /profile HTTP/1.1\r\nno colon\r\n\r\n", "400"),
      ("GET /profile HTTP/1.1\r\n: empty\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nContent-Length: many\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
      ("POST /cart/changes HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "413"),
      ("POST /cart/changes HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n", "413"),
      ("POST /cart/changes HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "501"),
      (Excerpt("GET /profile HTTP/1.1\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n"), "431"),
      (Excerpt(String(repeating: "x", count: 20_000)), "431"),
    ] as [(Excerpt, String)])
  func malformed(request: Excerpt, status: String) throws {
    let text = try answer(to: request.text + "GET /profile HTTP/1.1\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 \(status) "))
    #expect(text.matches(of: /HTTP\/1.1 \d/).count == 1, "later requests on the connection are not answered")
    #expect(
      try answer(to: "GET /profile HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 200 "),
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
    #expect(try answer(to: "GET /profile HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
  }

  @Test("pipelined requests are answered in order")
  func pipelining() throws {
    let requests = (1...100).map { "GET /products/\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
    let text = try answer(to: requests)
    let ids = text.matches(of: /"id":(\d+)/).compactMap { Int($0.1) }
    #expect(ids == Array(1...100))
    #expect(server.connectionCount == 1)
  }

  @Test("a request that arrives byte by byte is answered")
  func slowClient() throws {
    let connection = try RawConnection(to: url)
    let body = #"{"product": 1, "delta": 1}"#
    for byte in "POST /cart/changes HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8 {
      connection.send([byte])
    }
    connection.endOutput()
    #expect(connection.readToEnd().hasSuffix(#"{"product":1,"quantity":1}"#))
  }

  @Test("a client that reads no answers, or disconnects during an answer, does not block other clients")
  func stalledClients() throws {
    let stalled = try RawConnection(to: url)
    let request = "GET /products?size=1000 HTTP/1.1\r\n\r\n"
    stalled.send(String(repeating: request, count: 100))
    for _ in 0..<20 {
      let gone = try RawConnection(to: url)
      gone.send(String(repeating: request, count: 20))
    }
    #expect(try answer(to: "GET /profile HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    stalled.endOutput()
    #expect(stalled.readToEnd().components(separatedBy: "HTTP/1.1 200 OK").count == 101)
  }

  @Test("the connection stays open unless the client asks to close it")
  func keepAlive() throws {
    let connection = try RawConnection(to: url)
    connection.send("GET /profile HTTP/1.1\r\n\r\nGET /profile HTTP/1.1\r\nConnection: close\r\n\r\n")
    let text = connection.readToEnd()
    #expect(text.components(separatedBy: "Connection: keep-alive").count == 2)
    #expect(text.components(separatedBy: "Connection: close").count == 2)
  }

  @Test("HEAD is answered like GET, without the body")
  func head() throws {
    let text = try answer(to: "HEAD /profile HTTP/1.1\r\n\r\nGET /profile HTTP/1.1\r\n\r\n")
    let answers = text.components(separatedBy: "\r\n\r\n")
    #expect(answers.count == 3)
    #expect(answers.first == answers.dropFirst().first)
  }

  @Test("a fault sends no body to HEAD, but the same headers as to GET")
  func headWithFault() throws {
    for fault in [LoopbackFault.status(503), .body("nonsense"), .truncate, .delay(.milliseconds(1))] {
      let answers = try ["HEAD", "GET"].map { method in
        server.fail(with: fault, on: "/profile")
        return try answer(to: "\(method) /profile HTTP/1.1\r\n\r\n").components(separatedBy: "\r\n\r\n")
      }
      #expect(answers[0] == [answers[1][0], ""], "\(fault)")
      #expect(answers[1][1] != "", "\(fault)")
    }
  }

  @Test(
    "the error for another version of HTTP names the supported versions", arguments: ["2.0", "1.2", "0.9"])
  func versions(version: String) throws {
    for supported in ["1.0", "1.1"] {
      #expect(try answer(to: "GET /profile HTTP/\(supported)\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
    #expect(
      try answer(to: "GET /profile HTTP/\(version)\r\n\r\n")
        .hasSuffix(#"{"error":"only HTTP/1.0 and HTTP/1.1 are supported"}"#))
  }

  @Test("recorded requests have the bytes that arrived, and only from the beginning of the recording")
  func recording() throws {
    _ = try answer(to: "GET /profile HTTP/1.1\r\n\r\n")
    #expect(server.recordedRequests.isEmpty)
    server.recordRequests()
    let body = #"{"product": 1, "delta": 1}"#
    _ = try answer(
      to: "POST //cart/changes?a=%26 HTTP/1.1\r\nX-One:  1: 2\r\nx-one: 3\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)GET /orders HTTP/1.0\r\n\r\n")
    let requests = server.recordedRequests
    #expect(requests.map(\.line) == ["POST //cart/changes?a=%26 HTTP/1.1", "GET /orders HTTP/1.0"])
    #expect(requests.map(\.headers) == [["x-one": "1: 2, 3", "content-length": "26"], [:]])
    #expect(requests.map(\.body) == [body, ""])
  }

  @Test("when a stop returns, the port is closed")
  func closedPort() throws {
    var url = url
    for _ in 1...100 {
      server.stop()
      #expect(throws: POSIXError.self) { _ = try RawConnection(to: url) }
      url = try server.start()
    }
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

  @Test("a released server stops and is deallocated")
  func lifetime() async throws {
    try await LeakTracker.check { tracker in
      let server = tracker.track(LoopbackHTTPServer(catalog: .seeded(count: 1)))
      try server.start()
    }
  }

  @Test("a held answer is sent when it is released, and not before")
  func hold() async throws {
    server.fail(with: .hold, on: "/profile")
    let connection = try RawConnection(to: url)
    connection.send("GET /profile HTTP/1.1\r\n\r\nGET /orders HTTP/1.1\r\nConnection: close\r\n\r\n")
    await server.waitForRequests(1)
    #expect(server.requestCount == 1, "a request after a held answer waits")
    server.release()
    #expect(connection.readToEnd().components(separatedBy: "HTTP/1.1 200 OK").count == 3)
  }

  @Test("each request gets the first matching fault, and each fault affects the scripted number of requests")
  func faults() throws {
    server.fail(next: 2, with: .status(503))
    server.fail(with: .body("nonsense"), on: "/orders")
    server.fail(with: .delay(.milliseconds(1)))
    let text = try answer(
      to: ["profile", "profile", "profile", "orders", "profile"].map { "GET /\($0) HTTP/1.1\r\n\r\n" }
        .joined())
    #expect(text.matches(of: /HTTP\/1.1 (\d+)/).map(\.1) == ["503", "503", "200", "200", "200"])
    #expect(text.components(separatedBy: "nonsense").count == 2)
    #expect(server.requestCount == 5)
  }

  @Test("`drop` ends a connection without an answer, and `truncate` ends it in the middle of an answer")
  func brokenAnswers() throws {
    server.fail(with: .drop)
    server.fail(with: .truncate)
    #expect(try answer(to: "GET /profile HTTP/1.1\r\n\r\n").isEmpty)
    let parts = try answer(to: "GET /profile HTTP/1.1\r\n\r\n").components(separatedBy: "\r\n\r\n")
    let announced = try #require(parts[0].firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) })
    #expect(parts[1].utf8.count == announced / 2)
  }
}
