public import Foundation

/// A navigation path: the routes of the screens above the root, the top one last.
///
/// A path is a value that you can store in a state, compare, encode and decode. It may contain a
/// route more than once.
///
/// - Complexity: O(1) for each member, unless noted otherwise.
public struct RoutePath<Route: Hashable & Sendable>: Hashable, Sendable {
  /// The routes of the screens above the root, the top one last. Empty at the root.
  public private(set) var routes: [Route]

  /// Creates a path from the routes above the root, the top one last.
  public init(_ routes: [Route] = []) { self.routes = routes }

  /// The route of the top screen, or `nil` at the root.
  public var top: Route? { routes.last }

  /// Adds a screen on top, unless its route is already on top, so that two taps on one link open
  /// one screen.
  ///
  /// - Parameters:
  ///   - route: The route of the screen.
  ///   - again: Whether to add the screen even if its route is already on top.
  public mutating func push(_ route: Route, again: Bool = false) {
    if again || route != top { routes.append(route) }
  }

  /// Removes the top screen.
  ///
  /// - Returns: The removed route.
  /// - Throws: ``RoutePathError/popAtRoot`` if the path is at the root.
  @discardableResult
  public mutating func pop() throws(RoutePathError<Route>) -> Route {
    guard let route = routes.popLast() else { throw .popAtRoot }
    return route
  }

  /// Removes all screens above the topmost screen with this route.
  ///
  /// - Returns: The removed routes, the top one last.
  /// - Throws: ``RoutePathError/notInPath(_:)`` if the path does not contain the route. The path is
  ///   then unchanged.
  /// - Complexity: O(screens).
  @discardableResult
  public mutating func pop(to route: Route) throws(RoutePathError<Route>) -> [Route] {
    guard let index = routes.lastIndex(of: route) else { throw .notInPath(route) }
    let left = Array(routes[(index + 1)...])
    routes.removeLast(left.count)
    return left
  }

  /// Removes all screens above the root.
  ///
  /// - Returns: The removed routes, the top one last.
  @discardableResult
  public mutating func popToRoot() -> [Route] {
    defer { routes = [] }
    return routes
  }
}

extension RoutePath: Codable where Route: Codable {}

/// The reason that screens cannot be removed from a path.
public enum RoutePathError<Route: Hashable & Sendable>: Error, Hashable, Sendable {
  /// The path is at the root, so there is no screen to remove.
  case popAtRoot
  /// The path does not contain the route to which the caller wants to pop.
  case notInPath(Route)
}

extension RoutePathError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .popAtRoot: "The path is at the root, so there is no screen to remove."
    case .notInPath(let route): "The path does not contain \(route)."
    }
  }

  public var errorDescription: String? { description }
}
