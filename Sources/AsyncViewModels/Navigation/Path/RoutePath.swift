/// Where somebody is in an app: the screens above the root, the topmost last. A value, so that it can be a state, be compared, kept
/// and restored. The same route may be there more than once.
///
/// Cost: O(1), unless it says otherwise.
public struct RoutePath<Route: Hashable & Sendable>: Hashable, Sendable {
  /// The screens above the root; none at the root.
  public private(set) var routes: [Route]

  public init(_ routes: [Route] = []) { self.routes = routes }

  public var isAtRoot: Bool { routes.isEmpty }

  /// The screen on top; nil at the root.
  public var top: Route? { routes.last }

  /// Shows one more screen.
  public mutating func push(_ route: Route) { routes.append(route) }

  /// Leaves the screen on top.
  ///
  /// - Returns: what was left.
  /// - Throws: ``RoutePathError/popAtRoot``.
  @discardableResult
  public mutating func pop() throws(RoutePathError<Route>) -> Route {
    guard let route = routes.popLast() else { throw .popAtRoot }
    return route
  }

  /// Leaves every screen above the topmost one with this route. O(screens).
  ///
  /// - Returns: what was left, the topmost last.
  /// - Throws: ``RoutePathError/notInPath(_:)``; the path is as it was.
  @discardableResult
  public mutating func pop(to route: Route) throws(RoutePathError<Route>) -> [Route] {
    guard let index = routes.lastIndex(of: route) else { throw .notInPath(route) }
    let left = Array(routes[(index + 1)...])
    routes.removeLast(left.count)
    return left
  }

  /// Leaves every screen above the root; at the root it does nothing.
  ///
  /// - Returns: what was left, the topmost last.
  @discardableResult
  public mutating func popToRoot() -> [Route] {
    defer { routes = [] }
    return routes
  }
}
