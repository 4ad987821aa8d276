/// Why a path cannot be restored from data.
public enum RoutePathRestorationError: Error, Hashable, Sendable {
  /// It was kept by a version of the app with other routes.
  case otherVersion(found: Int, expected: Int)
  /// It is no path; the text names the place and what is wrong there.
  case malformed(String)
}

extension RoutePathRestorationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .otherVersion(let found, let expected): "the path has version \(found), not \(expected)"
    case .malformed(let what): "the path does not make sense: \(what)"
    }
  }
}
