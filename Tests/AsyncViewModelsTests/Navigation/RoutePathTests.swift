import AsyncViewModels
import Foundation
import Testing

/// The navigation path as a value.
@Suite("RoutePath")
struct RoutePathTests {
  @Test("the route that was pushed last is popped first")
  func pushAndPop() throws {
    var path = RoutePath<String>()
    #expect(path.routes.isEmpty)
    path.push("a")
    path.push("b")
    #expect(path.top == "b")
    #expect(try path.pop() == "b")
    #expect(path == RoutePath(["a"]))
  }

  @Test("a route that is already on top is not pushed again, unless the caller asks for it")
  func repeatedPush() {
    var path = RoutePath<String>()
    path.push("a")
    path.push("a")
    #expect(path.routes == ["a"])
    path.push("b")
    path.push("a")
    #expect(path.routes == ["a", "b", "a"])
    path.push("a", again: true)
    #expect(path.routes == ["a", "b", "a", "a"])
  }

  @Test("a pop at the root is an error and leaves the path unchanged")
  func popAtRoot() {
    var path = RoutePath<String>()
    #expect(throws: RoutePathError<String>.popAtRoot) { try path.pop() }
    #expect(path.routes.isEmpty)
    #expect(path.popToRoot() == [], "popToRoot() at the root is not an error")
  }

  @Test("a pop to a route removes the routes above its topmost occurrence")
  func popToScreen() throws {
    var path = RoutePath(["a", "b", "a", "c", "d"])
    #expect(try path.pop(to: "a") == ["c", "d"])
    #expect(path.routes == ["a", "b", "a"])
    #expect(try path.pop(to: "a") == [])
    #expect(throws: RoutePathError.notInPath("x")) { try path.pop(to: "x") }
    #expect(path.routes == ["a", "b", "a"])
    #expect(path.popToRoot() == ["a", "b", "a"])
    #expect(path.routes.isEmpty)
  }

  @Test("a path is restored as it was archived")
  func restoration() throws {
    let path = RoutePath<TestRoute>([.products, .product(7), .cart])
    let data = try path.archived(version: 3)
    #expect(try RoutePath(restoring: data, version: 3) == path)
  }

  @Test(
    "data of another version is rejected, whatever its routes contain, and the error names both versions",
    arguments: [2, 4], [#"[{"what":"was that"}]"#, "[]"])
  func otherVersion(found: Int, routes: String) throws {
    let data = Data(#"{"version":\#(found),"routes":\#(routes)}"#.utf8)
    #expect(throws: RoutePathRestorationError.otherVersion(found: found, expected: 3)) {
      try RoutePath<TestRoute>(restoring: data, version: 3)
    }
  }

  @Test(
    "data that is not a path is rejected, and the error names the invalid place",
    arguments: [
      (#"{"routes":[]}"#, "version: it is missing"), (#"{"version":3}"#, "routes: it is missing"),
      (#"{"version":"3"}"#, "version: "), (#"{"version":3,"routes":7}"#, "routes: "),
      (#"{"version":null}"#, "version: "), (#"{"version":3,"routes":null}"#, "routes: "),
      (#"{"version":3,"routes":[{"cart":{}},{"product":{}}]}"#, "routes[1].product._0: it is missing"),
      (#"{"version":3,"routes":[{"product":{"_0":"7"}}]}"#, "routes[0].product._0: "),
      ("", ""), ("<xml>", ""),
    ])
  func malformed(text: String, message: String) throws {
    let error = #expect(throws: RoutePathRestorationError.self) {
      try RoutePath<TestRoute>(restoring: Data(text.utf8), version: 3)
    }
    guard case .malformed(let what)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(what.hasPrefix(message) && !what.isEmpty)
  }

  @Test("if decoding a route throws an error, the restoration error contains the text of that error")
  func errorOfRoute() {
    struct UnknownRoute: Error, CustomStringConvertible {
      var description: String { "the route is unknown" }
    }
    struct Route: Hashable, Codable {
      init() {}
      init(from decoder: any Decoder) throws { throw UnknownRoute() }
      func encode(to encoder: any Encoder) throws {}
    }
    #expect(throws: RoutePathRestorationError.malformed("the route is unknown")) {
      try RoutePath<Route>(restoring: Data(#"{"version":1,"routes":[{}]}"#.utf8), version: 1)
    }
  }
}
