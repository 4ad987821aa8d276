import AsyncViewModels
import Foundation

extension StressProgram {
  static var routePaths: [StressProgram] {
    [
      StressProgram(
        name: "route-path",
        summary: "moves, deep links and codings give the expected paths, and invalid ones throw",
        run: values)
    ]
  }

  private typealias Path = RoutePath<String>

  private static let shop = DeepLinkParser<String>(scheme: "app", host: "shop") {
    components throws(DeepLinkParserError) in
    for component in components where component.count > 40 { throw .component(component) }
    return components
  }

  private static func values(load: Load) async throws {
    try await load.inParallel { task in
      var random = SplitMix(task)
      for round in 0..<(4_000 / load.tasks) {
        let routes = (0..<Int.random(in: 1...6, using: &random)).map {
          "screen of task \(task), number \($0)"
        }
        try checkMoves(through: routes)
        if round % 16 == 0 { await Task.yield() }
        let path = Path(routes)
        try expectEqual(
          try JSONDecoder().decode(Path.self, from: JSONEncoder().encode(path)), path, "the decoded path")
        try checkLink(to: routes)
        if round % 16 == 8 { await Task.yield() }
        try checkBadLinks()
      }
    }
    try checkDescriptions()
  }

  private static func checkMoves(through routes: [String]) throws {
    var path = Path(routes)
    try expectEqual(path.top, routes.last, "the top")
    path.push("on top")
    path.push("on top")
    path.push("on top", again: true)
    try expectEqual(path.routes, routes + ["on top", "on top"], "routes after a repeated push and one more")
    try expectEqual(try path.pop(), "on top", "the popped route")
    try expectEqual(
      try path.pop(to: routes[0]), routes.dropFirst() + ["on top"], "the routes popped above the first")
    try expectEqual(path, Path([routes[0]]), "the path with one screen")
    try expectEqual(path.hashValue, Path([routes[0]]).hashValue, "the hash of equal paths")
    try expectEqual(path.popToRoot(), [routes[0]], "the routes popped above the root")
    try expect(
      path.routes.isEmpty && path.top == nil && path == Path(), "the path is not at its root: \(path)")
    try expectError(.popAtRoot) { () throws(RoutePathError<String>) in try path.pop() }
    try expectError(.notInPath("away")) { () throws(RoutePathError<String>) in try path.pop(to: "away") }
  }

  private static func checkLink(to routes: [String]) throws {
    try expect(shop.scheme == "app" && shop.host == "shop", "scheme or host of the parser is wrong")
    let url = routes.reduce(URL(string: "APP://Shop/")!) { $0.appending(path: $1) }
    try expectEqual(try shop.path(for: url), Path(routes), "the path for \(url)")
  }

  private static func checkBadLinks() throws {
    let long = String(repeating: "long", count: 11)
    let bad: [(String, DeepLinkParserError)] = [
      ("other://shop", .scheme("other")), ("app://other", .host("other")),
      ("app://shop/\(long)", .component(long)),
    ]
    for (link, error) in bad {
      try expectError(error) { () throws(DeepLinkParserError) in _ = try shop.path(for: URL(string: link)!)
      }
    }
  }

  private static func checkDescriptions() throws {
    let errors: [any Error & CustomStringConvertible] = [
      RoutePathError<String>.popAtRoot, RoutePathError.notInPath("a"), DeepLinkParserError.scheme("a"),
      DeepLinkParserError.host("b"), DeepLinkParserError.component("c"), DeepLinkParserError.id("d", of: "e"),
    ]
    try expectEqual(Set(errors.map(\.description)).count, errors.count, "distinct descriptions")
  }
}
