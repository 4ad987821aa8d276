import AsyncViewModelsUI
import Foundation
import Testing
import ToolkitTestSupport

/// The navigation path as a value.
@Suite("RoutePath", .timeLimit(.minutes(5)))
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

  @Test("an encoded path is decoded as it was")
  func coding() throws {
    let path = RoutePath<TestRoute>([.products, .product(7), .cart])
    #expect(try JSONDecoder().decode(RoutePath.self, from: JSONEncoder().encode(path)) == path)
  }
}
