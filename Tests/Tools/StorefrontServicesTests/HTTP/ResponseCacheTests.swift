import AsyncViewModels
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

/// Responses that the server confirms by their `ETag`.
@Suite("Response cache", .timeLimit(.minutes(5)), .endsWaits)
struct ResponseCacheTests {
  private let transport = ScriptedTransport()

  private static let posts = #"{"items":[{"id":1,"title":"Tea","body":"Hot"}],"next":null}"#
  private static let noPosts = #"{"items":[],"next":null}"#

  private func client(
    _ form: ServiceForm, cacheSize: Int = 1 << 20, _ middleware: any HTTPMiddleware...
  ) throws -> StorefrontClient {
    let options = HTTPOptions(
      retry: .none, middleware: middleware, cacheSize: cacheSize, clock: VirtualClock())
    return try StorefrontClient.http(form, StorefrontClient.shop, over: transport, options: options)
  }

  /// The conditions of all requests so far.
  private var conditions: [String?] {
    transport.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") }
  }

  /// Reads the posts, and answers the request with the given number.
  private func read(
    _ client: StorefrontClient, _ number: Int, _ status: Int = 200, _ fields: [String: String] = [:],
    body: String = posts
  ) async throws -> [Post] {
    async let posts = client.posts()
    try await transport.answer(number, status, fields, body: body)
    return try await posts
  }

  @Test("a response that the server confirms comes from the cache", arguments: ServiceForm.allCases)
  func confirmed(form: ServiceForm) async throws {
    let client = try client(form)
    let first = try await read(client, 1, 200, ["ETag": #""v1""#])
    #expect(try await read(client, 2, 304, body: "") == first)
    #expect(try await read(client, 3, 304, ["ETag": #"W/"v1""#], body: "") == first)
    #expect(try await read(client, 4, 200, ["ETag": #"W/"v2""#], body: Self.noPosts) == [])
    #expect(try await read(client, 5, 304, body: "") == [])
    #expect(conditions == [nil, #""v1""#, #""v1""#, #""v1""#, #"W/"v2""#])
  }

  @Test(
    "a response that must not be stored or has no valid tag is not stored",
    arguments: [
      [:], ["ETag": #""v1""#, "Cache-Control": "private, No-Store"], ["ETag": #""v1""#, "Vary": "*"],
      ["ETag": #""v1""#, "Vary": "Accept, *"], ["ETag": "v1"], ["ETag": #"""#], ["ETag": #""a"b""#],
      ["ETag": ""],
    ])
  func notStored(fields: [String: String]) async throws {
    let client = try client(.async)
    _ = try await read(client, 1, 200, ["ETag": #""v0""#])
    _ = try await read(client, 2, 200, fields)
    _ = try await read(client, 3)
    #expect(conditions == [nil, #""v0""#, nil], "the older response is gone, too")
  }

  @Test("a 304 without a stored response is an error", arguments: ServiceForm.allCases)
  func unexpected(form: ServiceForm) async throws {
    let client = try client(form)
    let error = await #expect(throws: ServiceError.self) { try await read(client, 1, 304, body: "") }
    guard case .status(304, _)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    _ = try await read(client, 2)
    #expect(conditions == [nil, nil])
  }

  @Test(
    "if the server confirms another response than the stored one, the client requests the response again",
    arguments: ServiceForm.allCases)
  func otherResponse(form: ServiceForm) async throws {
    let client = try client(form)
    _ = try await read(client, 1, 200, ["ETag": #""v1""#])
    async let posts = client.posts()
    try await transport.answer(2, 304, ["ETag": #""v2""#], body: "")
    try await transport.answer(3, body: Self.noPosts)
    #expect(try await posts == [])
    _ = try await read(client, 4)
    #expect(conditions == [nil, #""v1""#, nil, nil])
  }

  @Test("a stored body that cannot be decoded is not used again", arguments: ServiceForm.allCases)
  func malformed(form: ServiceForm) async throws {
    let client = try client(form)
    await #expect(throws: ServiceError.self) {
      try await read(client, 1, 200, ["ETag": #""v1""#], body: "[{")
    }
    _ = try await read(client, 2)
    #expect(conditions == [nil, nil])
  }

  @Test(
    "a response for one token does not answer a request with another one", arguments: ServiceForm.allCases)
  func tokens(form: ServiceForm) async throws {
    let authorization = try BearerAuthorization(baseURL: StorefrontClient.shop, token: BearerToken("ada")) {
      _ in throw CancellationError()
    }
    let client = try client(form, authorization)
    let stored = try await read(client, 1, 200, ["ETag": #""v1""#])
    #expect(try await read(client, 2, 304, body: "") == stored)
    authorization.replaceToken(with: BearerToken("bob"))
    #expect(try await read(client, 3, 200, ["ETag": #""v1""#], body: Self.noPosts) == [])
    #expect(try await read(client, 4, 304, body: "") == [])
    authorization.replaceToken(with: nil)
    _ = try await read(client, 5)
    #expect(conditions == [nil, #""v1""#, nil, #""v1""#, nil])
  }

  @Test(
    "a response for one user does not answer a request of another one, whatever field selects the user",
    arguments: ["Cookie", "X-User", "Authorization", "X-Api-Key"])
  func selectingFields(field: String) async throws {
    struct User: HTTPMiddleware {
      let field: String
      let name = Monitor("ada")

      func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
        var request = request
        request.setValue(name.snapshot, forHTTPHeaderField: field)
        return try await next(request)
      }
    }
    let user = User(field: field)
    let client = try client(.async, user)
    _ = try await read(client, 1, 200, ["ETag": #""v1""#])
    user.name.update { $0 = "bob" }
    #expect(try await read(client, 2, 200, ["ETag": #""v1""#], body: Self.noPosts) == [])
    #expect(try await read(client, 3, 304, body: "") == [])
    #expect(conditions == [nil, nil, #""v1""#])
  }

  @Test("a response for other values of the fields of the request is not used")
  func vary() throws {
    func request(_ fields: [String: String]) -> URLRequest {
      var request = URLRequest(url: StorefrontClient.shop)
      for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
      return request
    }
    let head = try #require(
      HTTPURLResponse(
        url: StorefrontClient.shop, statusCode: 200, httpVersion: nil,
        headerFields: ["ETag": #""v1""#, "Vary": "Accept-Language, X-Theme"]))
    let stored = try #require(
      StoredResponse((Data(), head), to: request(["Accept-Language": "sv", "X-Other": "1"])))
    #expect(stored.matches(request(["accept-language": "sv", "x-other": "1"])))
    let others = [
      [:], ["Accept-Language": "sv"], ["Accept-Language": "en", "X-Other": "1"],
      ["Accept-Language": "sv", "X-Other": "1", "X-Theme": "dark"],
    ]
    for fields in others {
      #expect(!stored.matches(request(fields)), "\(fields)")
    }
    #expect(StoredResponse((Data(), head), to: request(["Cache-Control": "no-store"])) == nil)
  }

  @Test("only a GET without its own condition uses the cache")
  func otherRequests() {
    var request = URLRequest(url: StorefrontClient.shop)
    for (method, canServe) in [("GET", true), ("HEAD", false), ("POST", false), ("PUT", false)] {
      request.httpMethod = method
      #expect(StoredResponse.canServe(request) == canServe)
    }
    for field in ["If-None-Match", "If-Modified-Since", "Range"] {
      var request = URLRequest(url: StorefrontClient.shop)
      request.setValue("x", forHTTPHeaderField: field)
      #expect(!StoredResponse.canServe(request))
    }
  }

  @Test("responses above the size of the cache and after a removal are requested again")
  func size() async throws {
    let small = try client(.async, cacheSize: 1_024)
    _ = try await read(small, 1, 200, ["ETag": #""v1""#])
    _ = try await read(small, 2, 200, ["ETag": #""v1""#])
    let none = try client(.async, cacheSize: 0)
    _ = try await read(none, 3, 200, ["ETag": #""v1""#])
    _ = try await read(none, 4, 200, ["ETag": #""v1""#])
    let cleared = try client(.async)
    _ = try await read(cleared, 5, 200, ["ETag": #""v1""#])
    try #require(cleared.service as? HTTPStorefront).removeCachedResponses()
    _ = try await read(cleared, 6)
    #expect(conditions == Array(repeating: nil, count: 6))
  }

  @Test("a memory warning removes all stored responses", arguments: ServiceForm.allCases)
  func memoryWarning(form: ServiceForm) async throws {
    let pressure = ScriptedMemoryPressure()
    var options = HTTPOptions(retry: .none, clock: VirtualClock())
    options.memoryPressure = pressure
    var client: StorefrontClient? = try StorefrontClient.http(
      form, StorefrontClient.shop, over: transport, options: options)
    _ = try await read(try #require(client), 1, 200, ["ETag": #""v1""#])
    pressure.send()
    _ = try await read(try #require(client), 2, 200, ["ETag": #""v2""#])
    _ = try await read(try #require(client), 3, 304, body: "")
    #expect(conditions == [nil, nil, #""v2""#])
    client = nil
    try await until { pressure.handlerCount == 0 }
  }

  @Test(
    "over the network, a stored body that cannot be decoded is not used again", .usesSockets,
    arguments: ServiceForm.allCases)
  func malformedOverHTTP(form: ServiceForm) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
    let url = try server.start()
    server.recordRequests()
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"v1\"\r\nContent-Length: 2\r\n\r\n"
    server.fail(with: .bytes(Array("\(head)[{".utf8), end: .next))
    let client = try StorefrontClient.http(
      form, url, options: HTTPOptions(limits: .longerThanATest, retry: .none))
    await #expect(throws: ServiceError.self) { try await client.posts() }
    #expect(try await client.posts() == server.catalog.posts)
    #expect(server.recordedRequests.map { $0.headers["if-none-match"] } == [nil, nil])
  }

  @Test("a storefront with stored responses is deallocated", arguments: ServiceForm.allCases)
  func lifetime(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let client = try client(form)
      tracker.track(client.service, "storefront")
      _ = try await read(client, 1, 200, ["ETag": #""v1""#])
      _ = try await read(client, 2, 304, body: "")
    }
  }

  @Test("a server sends an unchanged response only once", .usesSockets, arguments: ServiceForm.allCases)
  func overHTTP(form: ServiceForm) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 10))
    let url = try server.start()
    server.sendEntityTags()
    server.recordRequests()
    let client = try StorefrontClient.http(
      form, url, options: HTTPOptions(limits: .longerThanATest, retry: .none))
    for _ in 1...2 { #expect(try await client.posts() == server.catalog.posts) }
    try await client.deletePost(server.catalog.posts[0].id)
    for _ in 1...2 { #expect(try await client.posts() == server.posts) }
    let conditions = server.recordedRequests.map { $0.headers["if-none-match"] }
    #expect(conditions[0] == nil)
    #expect(conditions[1] != nil)
    #expect(conditions[3] == conditions[1], "the posts have changed")
    #expect(conditions[4] != conditions[1])
  }
}
