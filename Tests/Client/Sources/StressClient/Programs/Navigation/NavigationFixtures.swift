import AsyncViewModelsUI

/// A route that reads the path of the model in its `deinit`.
final class QueryingRoute: Hashable, Sendable {
  private let shared: SharedNavigation

  init(_ shared: SharedNavigation) {
    self.shared = shared
    shared.live.add()
  }

  static func == (left: QueryingRoute, right: QueryingRoute) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  deinit {
    _ = shared.model.path.top
    shared.live.add(-1)
  }
}

/// One navigation model for many tasks, with counts of popped and live routes.
final class SharedNavigation: Sendable {
  let model = NavigationModel<QueryingRoute>(
    links: DeepLinkParser(scheme: "app", host: "shared") { _ throws(DeepLinkParserError) in [] })
  let popped = Tally()
  let live = Tally()

  /// Pushes a route and pops some screens.
  ///
  /// - Returns: The number of popped screens.
  func move(to route: QueryingRoute, _ round: Int) -> Int {
    model.push(route, again: true)
    switch round % 8 {
    case 0: return model.popToRoot().count
    case 1, 2, 3: return (try? model.pop(to: route).count) ?? 0
    default: return (try? model.pop()) == nil ? 0 : 1
    }
  }

  func checkErrors() throws {
    try expectError(.popAtRoot) { () throws(RoutePathError<QueryingRoute>) in try model.pop() }
    let route = QueryingRoute(self)
    try expectError(.notInPath(route)) { () throws(RoutePathError<QueryingRoute>) in try model.pop(to: route)
    }
  }
}
