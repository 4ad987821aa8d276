import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@Suite("LoopbackHTTPServer: faults and conditions", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct LoopbackFaultsTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 100))
  private let url: URL

  init() throws {
    url = try server.start()
  }

  private func answer(to request: String) throws -> String {
    try RawConnection.answer(to: request, from: url)
  }

  @Test("a held answer is sent when it is released, and not before")
  func hold() async throws {
    server.fail(with: .hold, on: "/profile")
    let connection = try RawConnection(to: url)
    connection.send(
      "GET /profile HTTP/1.1\r\nHost: x\r\n\r\nGET /orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    await server.waitForRequests(1)
    #expect(server.heldCount == 1)
    // One thread serves all clients, so its answer to another client follows all that it does for this one.
    #expect(try answer(to: "GET /posts HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    let hasInput = connection.hasInput
    #expect(!hasInput)
    #expect(server.requestCount == 2, "a request after a held answer waits")
    server.release()
    #expect(connection.readToEnd().components(separatedBy: "HTTP/1.1 200 OK").count == 3)
  }

  @Test("each request gets the first matching fault, and each fault affects the scripted number of requests")
  func faults() throws {
    server.fail(next: 2, with: .status(503))
    server.fail(with: .body("nonsense"), on: "/orders")
    server.fail(with: .delay(.milliseconds(1)))
    let text = try answer(
      to: ["profile", "profile", "profile", "orders", "profile"].map {
        "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n"
      }
      .joined())
    #expect(text.matches(of: /HTTP\/1.1 (\d+)/).map(\.1) == ["503", "503", "200", "200", "200"])
    #expect(text.components(separatedBy: "nonsense").count == 2)
    #expect(server.requestCount == 5)
  }

  @Test("there are more than 60 hostile responses, with unique names")
  func hostileResponses() {
    #expect(HostileResponse.all.count > 60)
    #expect(Set(HostileResponse.all).count == HostileResponse.all.count)
  }

  @Test("a request with a hostile response is handled")
  func hostileResponse() throws {
    let login = try #require(HostileResponse.all.first { $0.name == "a login page" })
    server.fail(with: .hostile(login))
    let count = server.posts.count
    #expect(try answer(to: rawRequest("DELETE", "/posts/1")).contains("text/html"))
    #expect(server.posts.count == count - 1)
  }

  @Test("a seed decides which requests get a random fault, and which fault")
  func randomFaults() throws {
    func statuses(_ share: Double, seed: UInt64) throws -> [Substring] {
      server.failRandomly(share, of: [.status(502), .status(503)], seed: seed)
      let text = try answer(to: String(repeating: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n", count: 100))
      return text.matches(of: /HTTP\/1.1 (\d+)/).map(\.1)
    }
    let first = try statuses(0.3, seed: 1)
    #expect(Set(first) == ["200", "502", "503"])
    #expect((15...45).contains(first.count { $0 != "200" }))
    #expect(try statuses(0.3, seed: 1) == first)
    #expect(try statuses(0.3, seed: 2) != first)
    #expect(try !statuses(1, seed: 1).contains("200"))
    #expect(try Set(statuses(0, seed: 1)) == ["200"])
  }

  @Test("a fault can say when the client may return")
  func retryAfter() throws {
    server.fail(with: .retryLater(429, after: "7"))
    let text = try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 429 "))
    #expect(text.contains("\r\nRetry-After: 7\r\n"))
  }

  @Test("a server with a token refuses requests with another token or none")
  func token() throws {
    server.requireToken("secret")
    for (field, status) in [
      ("", "401"), ("Authorization: Bearer other\r\n", "401"), ("Authorization: secret\r\n", "401"),
      ("Authorization: Bearer secret\r\n", "200"), ("authorization:Bearer secret \r\n", "200"),
      ("Authorization: Bearer secret\r\nAuthorization: Bearer other\r\n", "400"),
    ] {
      let text = try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\(field)\r\n")
      #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(field)")
      #expect(text.contains("\r\nWWW-Authenticate: Bearer\r\n") == (status == "401"))
    }
  }

  @Test("a server with entity tags sends a body only if it has changed")
  func entityTags() throws {
    server.sendEntityTags()
    let first = try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n")
    let tag = try #require(first.firstMatch(of: /ETag: ("[^"]+")\r\n/)).1
    #expect(first.contains("\r\nCache-Control: no-cache\r\n"))
    for (field, status) in [
      (tag, "304"), ("\"x\", \(tag)", "304"), ("*", "304"), ("\"x\"", "200"),
    ] {
      let text = try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\nIf-None-Match: \(field)\r\n\r\n")
      #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(field)")
      #expect(text.contains("\r\nETag: \(tag)\r\n"))
      #expect(text.hasSuffix("\r\n\r\n") == (status == "304"))
    }
    #expect(!(try answer(to: "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n").contains("ETag")))
  }

  @Test("`drop` ends a connection without an answer, and `truncate` ends it after half of the body")
  func brokenAnswers() throws {
    server.fail(with: .drop)
    server.fail(with: .truncate)
    #expect(try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n").isEmpty)
    let parts = try answer(to: "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n").components(separatedBy: "\r\n\r\n")
    let announced = try #require(parts[0].firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) })
    #expect(parts[1].utf8.count == announced / 2)
  }
}
