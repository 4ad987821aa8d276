public import Foundation

/// The navigation of a window as observable state.
///
/// ```swift
/// let navigation = NavigationModel(NavigationTree(root: AppRoute.home), links: AppRoute.links)
/// navigation.push(.product(7))
/// navigation.update { $0.front.popToRoot() }
/// try navigation.open(link)
/// ```
///
/// Screens observe the tree, and any code that navigates changes it. No member waits, so code with
/// and without async/await can use it.
///
/// - Isolation: None. Every member may be used from any thread.
/// - Ordering: A call that changes the tree returns after the change. All observers receive the
///   changes in the same order.
/// - Errors: After an error, the tree is unchanged, and observers receive nothing.
/// - Precondition: Each route equals itself, so none contains a NaN. ``DeepLinkParser`` rejects
///   links to such routes.
/// - Complexity: O(routes in the tree) for each member.
public final class NavigationModel<Route: Hashable & Sendable>: Sendable {
  let store: StateStore<NavigationState<Route>>
  private let links: DeepLinkParser<Route>

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - tree: The initial tree.
  ///   - links: The parser for ``open(_:)``.
  public init(_ tree: NavigationTree<Route>, links: DeepLinkParser<Route>) {
    self.links = links
    store = StateStore(NavigationState(tree))
  }

  /// The current tree.
  public var tree: NavigationTree<Route> { store.value.tree }

  /// Returns a stream of the current tree and its changes, without consecutive duplicates.
  ///
  /// Each call creates one observer. A slow observer skips to the latest tree. The stream ends when
  /// the model is deallocated.
  public func trees() -> AsyncStream<NavigationTree<Route>> { store.states(of: \.tree) }

  /// Changes the tree. Observers receive the result, and no tree in between.
  ///
  /// Screens of unchanged routes at the beginning of a path stay. A route that one update removes
  /// and another update adds again gets a new screen.
  ///
  /// - Parameter change: Changes the tree. Runs again with the newest tree if other code has
  ///   changed the tree at the same time, so it must only compute.
  /// - Returns: The value that `change` returns.
  /// - Throws: The error that `change` throws.
  @discardableResult
  public func update<Output, Failure: Error>(
    _ change: (inout NavigationTree<Route>) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try commit { state throws(Failure) in
      var tree = state.tree
      let output = try change(&tree)
      state.replace(with: tree)
      return output
    }
  }

  /// Adds a screen on top of the front stack, unless its route is already on top. See
  /// ``RoutePath/push(_:again:)``.
  public func push(_ route: Route, again: Bool = false) { update { $0.front.push(route, again: again) } }

  /// Changes the tree as a link asks for.
  ///
  /// - Throws: ``DeepLinkParserError`` for the first invalid part of the link.
  public func open(_ link: URL) throws(DeepLinkParserError) {
    try update { tree throws(DeepLinkParserError) in try links.open(link, in: &tree) }
  }

  /// The entries above a root, or `nil` if the tree has no stack with this root. Without a root,
  /// those of the front stack of the base.
  func entries(above root: NavigationEntry<Route>?) -> [NavigationEntry<Route>]? {
    let state = store.value
    guard let root else { return state.entries.baseFront.routes }
    return state.entries(above: root)
  }

  /// Removes closed entries. See ``NavigationState/close(_:of:)``.
  func close(_ closed: [NavigationEntry<Route>], of shown: [NavigationEntry<Route>]) {
    commit { $0.close(closed, of: shown) }
  }

  private func commit<Output, Failure: Error>(
    _ change: (inout NavigationState<Route>) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    var (output, isCurrent): (Output, Bool)
    repeat {
      // Not under the lock, because the app's `==` can run any code.
      let (old, version) = store.storage.versionedValue
      var new = old
      output = try change(&new)
      isCurrent =
        new == old
        ? store.storage.versionedValue.1 == version : store.storage.send(new, ifVersion: version)
    } while !isCurrent
    return output
  }
}
