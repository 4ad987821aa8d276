public import Foundation

/// Where somebody is in an app, as state: screens observe it, and whoever wants to go elsewhere changes it.
///
/// There is one form of it for all stages, because nothing in it waits: closures have its streams called back on their queue with
/// ``deliver(_:on:to:completion:)``.
///
/// - Isolation: none; every member may be used from anywhere, and a change is in place when the call returns.
/// - Ordering: one order for all changes and all observers.
/// - Errors: typed, and they name what was wrong. The path is then as it was, and nothing is published.
public final class NavigationModel<Route: Hashable & Sendable>: Sendable {
  private let store: ObservableState<RoutePath<Route>>
  private let links: DeepLinkParser<Route>

  public init(links: DeepLinkParser<Route>, path: RoutePath<Route> = RoutePath()) {
    self.links = links
    store = ObservableState(path)
  }

  public var path: RoutePath<Route> { store.value }

  /// A new observer: the current path, then the latest, where it is another one. It ends with the model.
  public func paths() -> AsyncStream<RoutePath<Route>> { store.distinctStream() }

  /// Shows one more screen.
  public func push(_ route: Route) { store.update { $0.push(route) } }

  /// Leaves the screen on top.
  ///
  /// - Returns: what was left.
  /// - Throws: ``RoutePathError/popAtRoot``.
  @discardableResult
  public func pop() throws(RoutePathError<Route>) -> Route {
    try store.update { path throws(RoutePathError<Route>) in try path.pop() }
  }

  /// Leaves every screen above the topmost one with this route.
  ///
  /// - Returns: what was left, the topmost last.
  /// - Throws: ``RoutePathError/notInPath(_:)``.
  @discardableResult
  public func pop(to route: Route) throws(RoutePathError<Route>) -> [Route] {
    try store.update { path throws(RoutePathError<Route>) in try path.pop(to: route) }
  }

  /// Leaves every screen above the root; at the root it does nothing.
  ///
  /// - Returns: what was left, the topmost last.
  @discardableResult
  public func popToRoot() -> [Route] { store.update { $0.popToRoot() } }

  /// Goes where a link leads, from wherever that is.
  ///
  /// - Throws: ``DeepLinkParserError``.
  public func open(_ link: URL) throws(DeepLinkParserError) { store.send(try links.path(for: link)) }
}

extension NavigationModel where Route: Codable {
  /// The path as data for ``restore(_:version:)``.
  ///
  /// - Parameter version: of the app's routes: it has to change whenever old data would be read as something else.
  /// - Throws: what a route throws when it encodes itself.
  public func archive(version: Int) throws -> Data { try path.archived(version: version) }

  /// Goes back to where somebody was when ``archive(version:)`` made this data.
  ///
  /// - Throws: ``RoutePathRestorationError``.
  public func restore(_ data: Data, version: Int) throws(RoutePathRestorationError) {
    store.send(try RoutePath(restoring: data, version: version))
  }
}
