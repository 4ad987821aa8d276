import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@testable import StorefrontServices

/// What the HTTP storefront sends: the first line, the headers and the body of each request.
@Suite("HTTP requests", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct HTTPRequestTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 100))
  private let url: URL

  init() throws {
    url = try server.start()
    server.recordRequests()
  }

  private var lines: [String] { server.recordedRequests.map(\.line) }

  @Test("a request that reads data has no body", arguments: ServiceForm.allCases)
  func reads(form: ServiceForm) async throws {
    let client = try StorefrontClient.http(form, url)
    _ = try await client.page(PageRequest(index: 3, size: 30))
    _ = try await client.product(7)
    _ = try await client.search("lamp")
    _ = try await client.profile()
    _ = try await client.posts()
    _ = try await client.orders()
    _ = try await client.recommendations()
    _ = try await client.cart()
    #expect(
      lines == [
        "GET /products?page=3&size=30 HTTP/1.1", "GET /products/7 HTTP/1.1",
        "GET /search?q=lamp&size=50 HTTP/1.1",
        "GET /profile HTTP/1.1", "GET /posts?size=100 HTTP/1.1", "GET /orders HTTP/1.1",
        "GET /recommendations HTTP/1.1", "GET /cart HTTP/1.1",
      ])
    for request in server.recordedRequests {
      #expect(request.headers["accept"] == "application/json")
      #expect(request.headers["content-type"] == nil)
      #expect(request.headers["idempotency-key"] == nil)
      #expect(request.body == "")
    }
  }

  @Test(
    "a cart change and a save send JSON with its content type; a deletion and a restoration have no body",
    arguments: ServiceForm.allCases)
  func writes(form: ServiceForm) async throws {
    let client = try StorefrontClient.http(form, url)
    let key = IdempotencyKey()
    try await client.apply(CartChange(product: server.catalog.products[6], delta: 1), key: key)
    _ = try await client.save(Profile.Draft(name: #"Ada "K" 🥣"#, email: "ada@example.com"), 1)
    try await client.deletePost(3)
    try await client.restorePost(3)
    #expect(
      lines == [
        "POST /cart/changes HTTP/1.1", "PUT /profile HTTP/1.1", "DELETE /posts/3 HTTP/1.1",
        "POST /posts/3/restore HTTP/1.1",
      ])
    let requests = server.recordedRequests
    #expect(requests.map { $0.headers["accept"] } == Array(repeating: "application/json", count: 4))
    let keys = requests.compactMap { $0.headers["idempotency-key"] }
    #expect(keys.first == "\"\(key)\"")
    #expect(Set(keys).count == 4)
    #expect(
      requests.map { $0.headers["content-type"] } == ["application/json", "application/json", nil, nil])
    #expect(requests.map(\.body)[0] == #"{"product":7,"delta":1}"#)
    let edition = try JSONDecoder().decode([String: JSONText].self, from: Data(requests[1].body.utf8))
    #expect(edition == ["name": "Ada \"K\" 🥣", "email": "ada@example.com", "version": "1"])
    #expect(requests[2].body == "" && requests[3].body == "")
    #expect(requests[3].headers["content-length"] == "0")
  }

  /// The text of a JSON value that is a string or a whole number.
  private struct JSONText: Decodable, Equatable, ExpressibleByStringLiteral {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self.text = text
      } else {
        text = "\(try value.decode(Int.self))"
      }
    }
  }

  @Test(
    "characters of a search text that have a meaning in a query string are escaped",
    arguments: ServiceForm.allCases,
    [
      ("a&b=c", "a%26b%3Dc"), ("50% + x", "50%25%20%2B%20x"), ("c++", "c%2B%2B"),
      ("#1?/;2", "%231%3F%2F%3B2"),
      ("ö", "%C3%B6"), ("a;b=c", "a%3Bb%3Dc"), ("a,b|c:d'e", "a%2Cb%7Cc%3Ad%27e"), ("a-b._~Z9", "a-b._~Z9"),
      ("\0\r\n", "%00%0D%0A"),
    ])
  func query(form: ServiceForm, query: (text: String, escaped: String)) async throws {
    _ = try await StorefrontClient.http(form, url).search(query.text)
    #expect(lines == ["GET /search?q=\(query.escaped)&size=50 HTTP/1.1"])
  }

  @Test("a cursor reaches the server unchanged, in place of a number", arguments: ServiceForm.allCases)
  func cursors(form: ServiceForm) async throws {
    let client = try StorefrontClient.http(form, url)
    for (text, escaped) in [
      ("a+b&c=d/e==", "a%2Bb%26c%3Dd%2Fe%3D%3D"), ("ö 50%", "%C3%B6%2050%25"), ("#?;", "%23%3F%3B"),
    ] {
      let request = PageRequest(at: .cursor(PageCursor(rawValue: text)), size: 7)
      _ = try? await client.page(request)
      _ = try? await client.hits("oak", request)
      let sent = server.recordedRequests.suffix(2).map(\.line)
      #expect(
        sent == [
          "GET /products?cursor=\(escaped)&size=7 HTTP/1.1",
          "GET /search?q=oak&cursor=\(escaped)&size=7 HTTP/1.1",
        ])
      for line in sent {
        let target = try HTTPTarget(String(line.split(separator: " ")[1]))
        #expect(target.value(of: "cursor") == text)
      }
    }
  }

  @Test("a search is not asked for a page by number", arguments: ServiceForm.allCases)
  func numberOfSearch(form: ServiceForm) async throws {
    let client = try StorefrontClient.http(form, url)
    await #expect(throws: PageError.unsupported(.index(2))) {
      try await client.hits("oak", PageRequest(index: 2, size: 5))
    }
    #expect(lines.isEmpty)
  }

  @Test(
    "the path of a base URL comes before the path of the request, with one slash between them",
    arguments: [
      ("", "/profile"), ("/", "/profile"), ("/shop", "/shop/profile"), ("/shop/", "/shop/profile"),
      ("/a%2Fb", "/a%2Fb/profile"),
    ])
  func basePath(base: String, path: String) async throws {
    let client = try StorefrontClient.http(.async, try #require(URL(string: "\(url)\(base)")))
    _ = try? await client.profile()
    #expect(lines == ["GET \(path) HTTP/1.1"])
  }

  @Test(
    "a timeout is rounded up to whole seconds and limited to 100 years",
    arguments: [
      (.nanoseconds(1), 1), (.milliseconds(500), 1), (.seconds(1), 1), (.milliseconds(1_001), 2),
      (.milliseconds(29_999), 30), (.seconds(Int64.max) + .milliseconds(1), 3_155_760_000),
    ] as [(Duration, TimeInterval)])
  func timeout(timeout: Duration, seconds: TimeInterval) {
    #expect(URLSessionTransport.wholeSeconds(timeout) == seconds)
  }
}
