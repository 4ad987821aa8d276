import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@Suite("LoopbackHTTPServer: writes and strictness", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct LoopbackWritesTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 10), keyLimit: 3)
  private let url: URL

  init() throws {
    url = try server.start()
  }

  private static let addOne = #"{"product": 1, "delta": 1}"#

  /// The status, the head and the body of the answer to a request.
  private func answer(
    _ method: String, _ target: String, _ fields: [String] = [], body: String = "", key: String? = nil
  ) throws -> (status: Int, head: String, body: String) {
    let connection = try RawConnection(to: url)
    connection.send(rawRequest(method, target, ["Connection: close"] + fields, body: body, key: key))
    let text = connection.readToEnd()
    let parts = text.components(separatedBy: "\r\n\r\n")
    let status = try #require(text.firstMatch(of: /HTTP\/1.1 (\d+)/).flatMap { Int($0.1) })
    return (status, parts[0], parts[1])
  }

  private func add(_ key: String, body: String = addOne) throws -> (status: Int, head: String, body: String) {
    try answer("POST", "/cart/changes", body: body, key: key)
  }

  @Test("a repeated write gets the same answer and has no other effect")
  func repeated() throws {
    let first = try add("a")
    #expect(first.body == #"{"product":1,"quantity":1}"#)
    _ = try add("b")
    let again = try add("a")
    #expect(again == first)
    #expect(server.cartQuantity(of: 1) == 2)
    #expect(server.writeCount == 2)
    #expect(server.repeatedWriteCount == 1)
    #expect(try answer("GET", "/cart").body.contains(#""quantity":2"#))
  }

  @Test(
    "a repeated save and a repeated deletion get the same answer",
    arguments: [
      ("PUT", "/profile", #"{"name": "Ada", "email": "a@b.c", "version": 1}"#), ("DELETE", "/posts/3", ""),
    ])
  func otherWrites(method: String, target: String, body: String) throws {
    let first = try answer(method, target, body: body, key: "a")
    #expect(first.status == 200)
    let again = try answer(method, target, body: body, key: "a")
    #expect(again == first)
    #expect(try answer(method, target, body: body, key: "b").status == (method == "PUT" ? 409 : 404))
    #expect(server.writeCount == 1)
  }

  @Test("a refusal is repeated, too, and a malformed write does not use up its key")
  func refusals() throws {
    let remove = #"{"product": 1, "delta": -1}"#
    #expect(try add("a", body: remove).status == 409)
    #expect(try add("b").status == 200)
    #expect(try add("a", body: remove).status == 409)
    #expect(try add("c", body: "{").status == 400)
    #expect(try add("c").status == 200)
    #expect(server.writeCount == 2)
  }

  @Test("another write with a used key is refused with a problem")
  func reused() throws {
    _ = try add("a")
    for (method, target, body) in [
      ("POST", "/cart/changes", #"{"product": 1, "delta": 2}"#), ("POST", "/cart/changes", Self.addOne + " "),
      ("DELETE", "/posts/1", ""), ("POST", "/posts/1/restore", ""),
    ] {
      let refused = try answer(method, target, body: body, key: "a")
      #expect(refused.status == 422)
      #expect(refused.head.contains("Content-Type: application/problem+json"))
      #expect(refused.body.contains("idempotency-key-reused"))
    }
    #expect(server.writeCount == 1)
    #expect(server.posts.count == server.catalog.posts.count)
  }

  @Test("the server forgets the key that was used least recently, and all keys on request")
  func limit() throws {
    for key in ["a", "b", "c", "a", "d", "a"] { _ = try add(key) }
    #expect(server.writeCount == 4)
    _ = try add("b")
    #expect(server.writeCount == 5, "b is forgotten")
    server.forgetKeys()
    _ = try add("a")
    #expect(server.writeCount == 6)
    #expect(server.cartQuantity(of: 1) == 6)
  }

  @Test("a write that is still in progress is a problem, and may say when to return")
  func stillInProgress() throws {
    server.fail(with: .stillInProgress(after: "3"))
    let waiting = try add("a")
    #expect(waiting.status == 409)
    #expect(waiting.head.contains("\r\nRetry-After: 3"))
    #expect(waiting.body.contains("idempotency-key-in-progress"))
    #expect(try add("a").status == 200)
  }

  @Test("a cut answer begins like the whole answer, and the write is made")
  func cut() throws {
    server.fail(with: .cut(after: 10))
    let connection = try RawConnection(to: url)
    connection.send(rawRequest("POST", "/cart/changes", body: Self.addOne))
    #expect(connection.readToEnd() == "HTTP/1.1 2")
    #expect(server.writeCount == 1)
  }

  @Test(
    "a write without a key gets status 400 and a problem",
    arguments: [
      ("POST", "/cart/changes", addOne),
      ("PUT", "/profile", #"{"name": "Ada", "email": "a@b.c", "version": 1}"#),
      ("DELETE", "/posts/3", ""),
    ])
  func missingKey(method: String, target: String, body: String) throws {
    let connection = try RawConnection(to: url)
    connection.send(
      "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let text = connection.readToEnd()
    if method == "DELETE" {
      #expect(text.hasPrefix("HTTP/1.1 400 "))
    } else {
      #expect(text.contains("Content-Type: application/problem+json"))
      #expect(text.contains("idempotency-key-missing"))
    }
    #expect(server.writeCount == 0)
  }

  @Test(
    "a key that is not a string of a structured field gets status 400",
    arguments: ["a", "\"\"", "\"a", "\"a b\"", "\"a\";b", "\"\(String(repeating: "x", count: 256))\""])
  func malformedKey(field: String) throws {
    let refused = try answer("POST", "/cart/changes", ["Idempotency-Key: \(field)"], body: Self.addOne)
    #expect(refused.status == 400)
    #expect(refused.body.hasSuffix(#""parameter":"idempotency-key"}"#))
    #expect(server.writeCount == 0)
  }

  @Test(
    "a body must be JSON, and only some requests have one",
    arguments: [
      ("POST", "/cart/changes", ["Content-Type: application/json; charset=utf-8"], addOne, 200),
      ("POST", "/cart/changes", ["Content-Type: Application/JSON"], addOne, 200),
      ("POST", "/cart/changes", ["Content-Type: text/plain"], addOne, 415),
      ("POST", "/cart/changes", ["Content-Type:"], addOne, 415),
      ("POST", "/cart/changes", ["Content-Type: application/json, application/json"], addOne, 415),
      ("POST", "/cart/changes", ["Content-Type: application/json; charset=\"UTF-8\""], addOne, 200),
      ("POST", "/cart/changes", ["Content-Type: application/json; charset=latin1"], addOne, 415),
      ("POST", "/cart/changes", ["Content-Type: application/json; version=2"], addOne, 415),
      ("POST", "/cart/changes", ["Content-Encoding: gzip"], addOne, 415),
      ("POST", "/cart/changes", ["Expect: 100-continue"], addOne, 417),
      ("GET", "/profile", ["Idempotency-Key: \"a\""], "", 400),
      ("GET", "/profile", [], addOne, 400), ("DELETE", "/posts/1", [], addOne, 400),
      ("DELETE", "/posts/1", ["Content-Type: application/json"], "", 400),
      ("GET", "/profile", ["Content-Type: application/json"], "", 400),
    ] as [(String, String, [String], String, Int)])
  func bodies(method: String, target: String, fields: [String], body: String, status: Int) throws {
    let connection = try RawConnection(to: url)
    let fields = fields + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
    connection.send(rawRequest(method, target, ["Connection: close"] + fields, body: body))
    #expect(connection.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
    #expect(server.writeCount == (status == 200 ? 1 : 0))
  }

  @Test("a body without a content type gets status 415")
  func missingContentType() throws {
    let connection = try RawConnection(to: url)
    connection.send(
      "POST /cart/changes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: \"a\"\r\n"
        + "Content-Length: \(Self.addOne.utf8.count)\r\n\r\n\(Self.addOne)")
    #expect(connection.readToEnd().hasPrefix("HTTP/1.1 415 "))
    #expect(server.writeCount == 0)
  }

  @Test(
    "a request that does not accept JSON gets status 406, also if the response is cached",
    arguments: [
      ("application/json", 200), ("*/*", 200), ("application/*", 200),
      ("text/html, Application/JSON;q=0.1", 200),
      ("text/html", 406), ("", 406), ("application/json;q=0, */*", 406), ("application/json; q=0.0", 406),
      ("application/*;q=0, application/json", 200), ("*/*;q=0", 406), ("application/problem+json", 406),
      ("text/event-stream", 406),
    ])
  func accept(field: String, status: Int) throws {
    _ = try answer("GET", "/profile")
    for (method, target) in [("GET", "/profile"), ("DELETE", "/posts/1")] {
      #expect(try answer(method, target, ["Accept: \(field)"]).status == status)
    }
    #expect(server.writeCount == (status == 200 ? 1 : 0))
    let twice = try answer("GET", "/posts", ["Accept: text/html", "Accept: application/json"])
    #expect(twice.status == 200, "several fields are one list")
  }

  @Test("a request for the feed that does not accept events gets status 406")
  func feed() throws {
    #expect(try answer("GET", "/feed", ["Accept: application/json"]).status == 406)
    #expect(server.openedFeedCount == 0)
  }

  @Test("a write with a parameter or an empty component of the path is not made")
  func targets() throws {
    for target in ["/cart/changes?x=1", "/cart//changes", "//cart/changes", "/cart/changes/", "/cart/%zz"] {
      #expect(try answer("POST", target, body: Self.addOne).status == 400, "\(target)")
    }
    #expect(server.writeCount == 0)
  }
}
