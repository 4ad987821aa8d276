import AsyncViewModels
import Foundation
import Testing

/// Where somebody is in an app, as a value.
@Suite("Route path")
struct RoutePathTests {
  @Test("what is pushed last is left first")
  func pushAndPop() throws {
    var path = RoutePath<String>()
    #expect(path.isAtRoot)
    path.push("a")
    path.push("b")
    #expect(path.top == "b")
    #expect(try path.pop() == "b")
    #expect(path == RoutePath(["a"]))
  }

  @Test("leaving the root is an error, and leaves the path as it was")
  func popAtRoot() {
    var path = RoutePath<String>()
    #expect(throws: RoutePathError<String>.popAtRoot) { try path.pop() }
    #expect(path.isAtRoot)
    #expect(path.popToRoot() == [], "to go to the root from the root is none")
  }

  @Test("going back to a screen leaves those above its topmost one")
  func popToScreen() throws {
    var path = RoutePath(["a", "b", "a", "c", "d"])
    #expect(try path.pop(to: "a") == ["c", "d"])
    #expect(path.routes == ["a", "b", "a"])
    #expect(try path.pop(to: "a") == [])
    #expect(throws: RoutePathError.notInPath("x")) { try path.pop(to: "x") }
    #expect(path.routes == ["a", "b", "a"])
    #expect(path.popToRoot() == ["a", "b", "a"])
    #expect(path.isAtRoot)
  }

  @Test("a path is restored as it was kept")
  func restoration() throws {
    let path = RoutePath<TestRoute>([.products, .product(7), .cart])
    let data = try path.archived(version: 3)
    #expect(try RoutePath(restoring: data, version: 3) == path)
  }

  @Test("data of another version is refused with both versions, whatever its routes look like")
  func otherVersion() throws {
    let data = Data(#"{"version":2,"routes":[{"what":"was that"}]}"#.utf8)
    #expect(throws: RoutePathRestorationError.otherVersion(found: 2, expected: 3)) {
      try RoutePath<TestRoute>(restoring: data, version: 3)
    }
  }

  @Test(
    "data that is no path is refused with the place",
    arguments: [
      (#"{"routes":[]}"#, "version: it is missing"), (#"{"version":3}"#, "routes: it is missing"),
      (#"{"version":"3"}"#, "version: "), (#"{"version":3,"routes":7}"#, "routes: "),
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

  @Test("what a route itself has against its data is told as it says it")
  func refusedByRoute() {
    struct Refusal: Error, CustomStringConvertible {
      var description: String { "the route is unknown" }
    }
    struct Route: Hashable, Codable {
      init() {}
      init(from decoder: any Decoder) throws { throw Refusal() }
      func encode(to encoder: any Encoder) throws {}
    }
    #expect(throws: RoutePathRestorationError.malformed("the route is unknown")) {
      try RoutePath<Route>(restoring: Data(#"{"version":1,"routes":[{}]}"#.utf8), version: 1)
    }
  }
}
