public import Foundation

/// The navigation path of an app as observable state.
///
/// ```swift
/// let navigation = NavigationModel(links: AppRoute.links)
/// navigation.push(.product(7))
/// try navigation.open(link)
/// ```
///
/// Screens observe the path, and any code that navigates changes it. No member waits, so code with
/// and without async/await can use it.
///
/// - Isolation: None. Every member may be used from any thread.
/// - Ordering: A call that changes the path returns after the change. All observers receive the
///   changes in the same order.
/// - Errors: After an error, the path is unchanged, and observers receive nothing.
/// - Precondition: Each route equals itself, so none contains a NaN. ``DeepLinkParser`` rejects
///   links to such routes.
public final class NavigationModel<Route: Hashable & Sendable>: Sendable {
  let store: StateStore<RoutePath<Route>>
  private let links: DeepLinkParser<Route>

  /// Creates a model that starts with `path`.
  ///
  /// - Parameters:
  ///   - links: The parser for ``open(_:)``.
  ///   - path: The initial path.
  public init(links: DeepLinkParser<Route>, path: RoutePath<Route> = RoutePath()) {
    self.links = links
    store = StateStore(path)
  }

  /// The current path.
  public var path: RoutePath<Route> { store.value }

  /// Returns a stream of the current path and its changes, without consecutive duplicates.
  ///
  /// Each call creates one observer. A slow observer skips to the latest path. The stream ends when
  /// the model is deallocated.
  public func paths() -> AsyncStream<RoutePath<Route>> { store.states(of: \.self) }

  /// Returns a stream of the current path and its changes, with duplicates.
  ///
  /// A reader that also changes the path needs duplicates: a path that it has received, then
  /// changed, may be set again.
  func pathsWithDuplicates() -> AsyncStream<RoutePath<Route>> { store.states() }

  /// Adds a screen on top, unless its route is already on top. See ``RoutePath/push(_:again:)``.
  public func push(_ route: Route, again: Bool = false) {
    var isDone = false
    repeat {
      // Routes are compared outside the lock, because the app's `==` can run any code.
      let (old, version) = store.storage.versionedValue
      var path = old
      path.push(route, again: again)
      isDone = path.routes.count == old.routes.count || store.storage.send(path, ifVersion: version)
    } while !isDone
  }

  /// Removes the top screen, and returns its route.
  ///
  /// - Throws: ``RoutePathError/popAtRoot`` if the path is at the root.
  @discardableResult
  public func pop() throws(RoutePathError<Route>) -> Route {
    try store.update { path throws(RoutePathError<Route>) in try path.pop() }
  }

  /// Removes all screens above the topmost screen with this route. See ``RoutePath/pop(to:)``.
  @discardableResult
  public func pop(to route: Route) throws(RoutePathError<Route>) -> [Route] {
    // Routes are compared outside the lock, because the app's `==` can run any code.
    var (path, version) = store.storage.versionedValue
    let removed = try path.pop(to: route)
    return store.storage.send(path, ifVersion: version) ? removed : try pop(to: route)
  }

  /// Removes all screens above the root. Returns their routes, the top one last.
  @discardableResult
  public func popToRoot() -> [Route] { store.update { $0.popToRoot() } }

  /// Replaces the path, for example with a path that an earlier launch of the app has encoded.
  public func replacePath(with path: RoutePath<Route>) { store.send(path) }

  /// Replaces the path if it is still `old`.
  func replace(_ old: RoutePath<Route>, with new: RoutePath<Route>) {
    _ = store.storage.replace(old, with: new)
  }

  /// Replaces the path with the path for a link.
  ///
  /// - Throws: ``DeepLinkParserError`` for the first invalid part of the link.
  public func open(_ link: URL) throws(DeepLinkParserError) { store.send(try links.path(for: link)) }
}
