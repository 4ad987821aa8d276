import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import Testing

@Suite("LoopbackHTTPServer: routes", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct LoopbackRoutesTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 100))
  private let url: URL

  init() throws {
    url = try server.start()
  }

  private func request(
    _ method: String, _ target: String, body: String = ""
  ) throws -> (status: Int, body: String) {
    let connection = try RawConnection(to: url)
    connection.send(rawRequest(method, target, ["Connection: close"], body: body))
    let text = connection.readToEnd()
    let status = try #require(text.firstMatch(of: /HTTP\/1.1 (\d+)/).flatMap { Int($0.1) })
    return (status, text.components(separatedBy: "\r\n\r\n")[1])
  }

  private func value<Value: Decodable>(_ target: String, as type: Value.Type = Value.self) throws -> Value {
    let (status, body) = try request("GET", target)
    #expect(status == 200)
    return try JSONDecoder().decode(Value.self, from: Data(body.utf8))
  }

  private func page(_ target: String) throws -> Page<Post> { try value(target) }

  @Test("each resource of the catalog can be requested")
  func resources() throws {
    let catalog = server.catalog
    #expect(try value("/profile") == catalog.profile)
    #expect(try value("/orders") == catalog.orders)
    #expect(try page("/posts").items == catalog.posts)
    #expect(try value("/recommendations") == catalog.recommendations)
    #expect(try value("/products/7") == catalog.products[6])
    #expect(try value("/products") == Page(items: Array(catalog.products[0..<20]), index: 0, isLast: false))
    #expect(
      try value("/products?page=3&size=30")
        == Page(items: Array(catalog.products[90..<100]), index: 3, isLast: true))
    #expect(
      try value("/products?page=9223372036854775807")
        == Page<CatalogProduct>(items: [], index: .max, isLast: true))
  }

  @Test(
    "the error for an invalid parameter names the parameter",
    arguments: [
      ("/products?page=-1", "page"), ("/products?page=x", "page"), ("/products?page=", "page"),
      ("/products?page=%zz", "page"), ("/products?page=0&page=0", "page"),
      ("/products?page=0&offset=1", "offset"),
      ("/products/1?page=0", "page"), ("/profile?x", "x"), ("/posts?", "query"), ("/posts?=1", "query"),
      ("/products?page=0&", "query"), ("/search?%zz=1", "query"), ("/search?q=a&Q=b", "Q"),
      ("//profile", "path"),
      ("/profile/", "path"), ("/products//1", "path"), ("/products/%zz", "path"), ("/products/%", "path"),
      ("/products/%ff", "path"), ("/cart?x=1", "x"), ("/products?size=0", "size"),
      ("/products?size=1001", "size"),
      ("/products?size=99999999999999999999", "size"), ("/products/seven", "id"), ("/search", "q"),
      ("/search?q=", "q"), ("/search?q=%20+", "q"), ("/search?q=%ff", "q"),
      ("/search?q=%+5", "q"), ("/search?q=%5", "q"), ("/products/+1", "id"), ("/products/001", "id"),
      ("/products?page=%2B1", "page"), ("/products?page=01", "page"), ("/search?q=\"", "q"),
      ("/search?q=<a>", "q"), ("/search?q=a|b", "q"), ("/search?q=a^b", "q"), ("/search?q={}", "q"),
      ("/search?q=a\\b", "q"), ("/search?q=[a]", "q"), ("/search?q=a&size=0", "size"),
      ("/search?q=a&cursor=", "cursor"), ("/search?q=a&page=1", "page"), ("/products?cursor=a", "cursor"),
      ("/search?q=#a", "q"), ("/products/`", "path"),
    ])
  func parameters(target: String, parameter: String) throws {
    let (status, body) = try request("GET", target)
    #expect(status == 400)
    #expect(body.hasPrefix(#"{"error":"\#(parameter): "#))
    #expect(body.hasSuffix(#","parameter":"\#(parameter)"}"#))
  }

  @Test(
    "an unknown resource gets status 404, and an unsupported method gets status 405",
    arguments: [
      ("GET", "/", 404), ("GET", "/nothing", 404), ("GET", "/products/101", 404),
      ("GET", "/products/1/2", 404),
      ("DELETE", "/profile", 405), ("POST", "/profile", 405), ("GET", "/cart/changes", 405),
      ("GET", "/posts/1/restore", 405), ("PUT", "/posts/1/restore", 405), ("GET", "/posts/1/other", 404),
    ])
  func absent(method: String, target: String, status: Int) throws {
    #expect(try request(method, target).status == status)
  }

  @Test("an unknown cursor gets status 410", arguments: ["/search?q=a", "/posts?size=2"])
  func unknownCursor(target: String) throws {
    #expect(try request("GET", "\(target)&cursor=b%2B").status == 410)
  }

  @Test("a cursor of the posts stays at its place while posts are deleted and restored")
  func postsByCursor() throws {
    let ids = server.catalog.posts.map(\.id)
    let first = try page("/posts?size=10")
    #expect(first.items.map(\.id) == Array(ids[..<10]))
    let cursor = try #require(first.next?.cursor?.rawValue.replacing("=", with: "%3D"))
    #expect(try request("DELETE", "/posts/\(ids[3])").status == 200)
    #expect(try request("DELETE", "/posts/\(ids[10])").status == 200)
    let second = try page("/posts?size=10&cursor=\(cursor)")
    #expect(second.items.map(\.id) == Array(ids[11..<21]))
    #expect(try request("POST", "/posts/\(ids[10])/restore").status == 200)
    #expect(try page("/posts?size=10&cursor=\(cursor)").items.map(\.id) == Array(ids[10..<20]))
    #expect(try page("/posts?size=1000").next == nil)
  }

  @Test("a plus sign stands for a space in a query, and for a plus sign in a path")
  func plus() throws {
    #expect(try request("GET", "/a+b%20c").body.contains("no resource at /a+b c"))
    #expect(try request("GET", "/search?q=+").body.contains("the search text is missing"))
  }

  @Test("the cart accepts what is in stock, and refuses more with a reason")
  func cart() throws {
    let product = server.catalog.products[0]
    func change(_ delta: Int) throws -> (status: Int, body: String) {
      try request("POST", "/cart/changes", body: #"{"product": 1, "delta": \#(delta)}"#)
    }
    #expect(try change(product.stock).status == 200)
    #expect(try change(1).status == 409)
    #expect(try change(1).body.contains("only \(product.stock) in stock"))
    #expect(try change(.max).status == 409)
    #expect(try change(-product.stock - 1).status == 409)
    #expect(server.cartQuantity(of: 1) == product.stock)
    #expect(try change(-product.stock).body == #"{"product":1,"quantity":0}"#)
    _ = try change(1)
    server.emptyCart()
    #expect(server.cartQuantity(of: 1) == 0)
  }

  @Test(
    "the error for an invalid cart change names what is wrong",
    arguments: [
      (#"{"product": 101, "delta": 1}"#, 404, "product"), (#"{"delta": 1}"#, 400, "product"),
      (#"{"product": 1}"#, 400, "delta"), (#"{"product": "1", "delta": 1}"#, 400, "product"),
      (#"{"product": 1, "delta": 1.5}"#, 400, "delta"), (#"{"product": 1, "delta""#, 400, "body"),
      ("[]", 400, "body"), ("", 400, "body"), (#"{"product": 1, "delta": 0}"#, 400, "delta"),
      (#"{"product": 1, "delta": 1, "note": ""}"#, 400, "note"),
      (#"{"product": 1, "delta": 1, "delta": 1}"#, 400, "body"),
    ])
  func badChanges(body: String, status: Int, parameter: String) throws {
    let answer = try request("POST", "/cart/changes", body: body)
    #expect(answer.status == status)
    #expect(answer.body.hasSuffix(#""parameter":"\#(parameter)"}"#))
  }

  @Test("a saved profile has the next version, and requests after the save return it")
  func profile() throws {
    let first = try value("/profile", as: Profile.self)
    let body = #"{"name": "Ada", "email": "ada@example.com", "version": 1}"#
    let put = rawRequest("PUT", "/profile", body: body)
    let connection = try RawConnection(to: url)
    let get = "GET /profile HTTP/1.1\r\nHost: x\r\n\r\n"
    connection.send("\(get)\(put)\(get)GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let answers = connection.readToEnd().components(separatedBy: #""name":"Ada","version":2}"#)
    #expect(answers.count == 1 + 2, "the answer to the PUT, and to the GET after it")
    #expect(server.profile == Profile(id: first.id, name: "Ada", email: "ada@example.com", version: 2))
    let conflict = try request("PUT", "/profile", body: body)
    #expect(conflict.status == 409)
    #expect(conflict.body.contains(#""current":{"email":"ada@example.com""#))
    #expect(try value("/profile") == server.profile)
  }

  @Test(
    "the error for an invalid profile names what is wrong",
    arguments: [
      (#"{"name": "", "email": "a@b.c", "version": 1}"#, 422, "name"),
      (#"{"name": "Ada", "email": "a", "version": 1}"#, 422, "email"),
      (#"{"email": "a@b.c", "version": 1}"#, 400, "name"),
      (#"{"name": 1, "email": "a@b.c", "version": 1}"#, 400, "name"),
      (#"{"name": "Ada", "email": "a@b.c"}"#, 400, "version"),
      (#"{"name": "Ada", "email": "a@b.c", "version": 1, "id": 1}"#, 400, "id"), ("[]", 400, "body"),
      ("", 400, "body"),
    ])
  func badProfiles(body: String, status: Int, parameter: String) throws {
    let answer = try request("PUT", "/profile", body: body)
    #expect(answer.status == status)
    #expect(answer.body.hasSuffix(#""parameter":"\#(parameter)"}"#))
    #expect(server.profile == server.catalog.profile)
  }

  @Test(
    "a DELETE request deletes an existing post, and gets an error for any other id",
    arguments: [("7", 200), ("31", 404), ("seven", 400), ("", 400), ("7/8", 405)])
  func deletePost(id: String, status: Int) throws {
    #expect(try request("DELETE", "/posts/\(id)").status == status)
    #expect(server.posts.count == (status == 200 ? 29 : 30))
    #expect(try page("/posts").items == server.posts)
  }

  @Test(
    "a POST request restores a deleted post at its place, and gets an error for an unknown id",
    arguments: [("7", 200), ("8", 200), ("31", 404), ("seven", 400), ("7/8", 405)])
  func restorePost(id: String, status: Int) throws {
    #expect(try request("DELETE", "/posts/7").status == 200)
    #expect(try page("/posts").items == server.posts)
    let answer = try request("POST", "/posts/\(id)/restore")
    #expect(answer.status == status)
    if status == 200 { #expect(answer.body == #"{"restored":\#(id)}"#) }
    #expect(server.posts == server.catalog.posts.filter { $0.id != 7 || id == "7" })
    #expect(try page("/posts").items == server.posts)
  }

  @Test(
    "a search ignores case, and returns the best match first",
    arguments: [
      ("oak", ["Oak", "Oak Lamp", "Old Oak Lamp", "Lamp of Oak", "Soak Lamp"]),
      ("OAK%20LAMP", ["Oak Lamp", "Old Oak Lamp", "Lamp of Oak", "Soak Lamp"]),
      ("oa++la", ["Old Oak Lamp", "Lamp of Oak", "Oak Lamp", "Soak Lamp"]), ("CAF%C3%89", ["Café Lamp"]),
      ("ak", ["Old Oak Lamp", "Soak Lamp", "Oak", "Lamp of Oak", "Oak Lamp"]), ("sofa", []),
    ])
  func search(query: String, titles: [String]) throws {
    let names = ["Old Oak Lamp", "Soak Lamp", "Oak", "Lamp of Oak", "Oak Lamp", "Desk", "Café Lamp"]
    let products = names.enumerated().map { index, name in
      CatalogProduct(
        id: .init(rawValue: index + 1), name: name, price: Money(minorUnits: 5, currency: .eur), stock: 3)
    }
    let server = LoopbackHTTPServer(catalog: Catalog(products: products))
    let connection = try RawConnection(to: try server.start())
    connection.send("GET /search?q=\(query) HTTP/1.0\r\n\r\n")
    let body = connection.readToEnd().components(separatedBy: "\r\n\r\n")[1]
    let hits = try JSONDecoder().decode(Page<SearchHit>.self, from: Data(body.utf8)).items
    #expect(hits.map(\.title) == titles)
    #expect(hits.allSatisfy { $0.detail == "0.05 EUR · 3 in stock" && names[$0.id.rawValue - 1] == $0.title })
  }

  @Test("a search returns 50 hits in a page, unless the request has a size")
  func searchLimit() throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 2_000))
    let connection = try RawConnection(to: try server.start())
    connection.send("GET /search?q=a HTTP/1.0\r\n\r\n")
    #expect(connection.readToEnd().components(separatedBy: #""title""#).count == 51)
    let second = try RawConnection(to: try server.start())
    second.send("GET /search?q=a&size=3 HTTP/1.0\r\n\r\n")
    #expect(second.readToEnd().components(separatedBy: #""title""#).count == 4)
  }
}
