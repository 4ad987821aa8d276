/// Why somebody cannot go back that way.
public enum RoutePathError<Route: Hashable & Sendable>: Error, Hashable, Sendable {
  /// There is nothing above the root that could be left.
  case popAtRoot
  /// No screen with this route is there to go back to.
  case notInPath(Route)
}

extension RoutePathError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .popAtRoot: "there is nothing above the root that could be left"
    case .notInPath(let route): "no screen to go back to shows \(route)"
    }
  }
}
