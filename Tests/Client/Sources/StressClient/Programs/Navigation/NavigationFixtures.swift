import AsyncViewModels

/// A route that asks where the model is when it goes away.
final class QueryingRoute: Hashable, Sendable {
  private let shared: SharedNavigation

  init(_ shared: SharedNavigation) {
    self.shared = shared
    shared.living.add()
  }

  static func == (left: QueryingRoute, right: QueryingRoute) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  deinit {
    _ = shared.model.path.top
    shared.living.add(-1)
  }
}

/// One model for many tasks, and what they have left.
final class SharedNavigation: Sendable {
  let model = NavigationModel<QueryingRoute>(
    links: DeepLinkParser(scheme: "app", host: "shared") { _ throws(DeepLinkParserError) in [] })
  let left = Tally()
  let living = Tally()

  /// Goes to a route, and leaves some screens.
  ///
  /// - Returns: how many.
  func move(to route: QueryingRoute, _ round: Int) -> Int {
    model.push(route)
    switch round % 8 {
    case 0: return model.popToRoot().count
    case 1, 2, 3: return (try? model.pop(to: route).count) ?? 0
    default: return (try? model.pop()) == nil ? 0 : 1
    }
  }

  func checkRefusals() throws {
    try expectError(.popAtRoot) { () throws(RoutePathError<QueryingRoute>) in try model.pop() }
    let visit = QueryingRoute(self)
    try expectError(.notInPath(visit)) { () throws(RoutePathError<QueryingRoute>) in try model.pop(to: visit) }
  }
}
