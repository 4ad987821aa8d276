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
/// Screens observe the tree, and any code that navigates changes it. Only ``present(_:as:)`` and
/// ``choose(from:as:)`` wait, so code without async/await can use all other members.
///
/// - Isolation: None. Every member may be used from any thread.
/// - Ordering: A call that changes the tree returns after the change. All observers receive the
///   changes in the same order.
/// - Errors: After an error, the tree is unchanged, and observers receive nothing.
/// - Precondition: Each route equals itself, so none contains a NaN. ``DeepLinkParser`` rejects
///   links to such routes, and decoding a ``NavigationTree`` throws.
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

  /// Adds a screen on top of the front stack, unless its route is already on top, so that two taps
  /// on one row open one screen. A route on top is also the root of an empty path.
  ///
  /// - Parameters:
  ///   - route: The route of the screen.
  ///   - again: Whether to add the route even if it is already on top.
  public func push(_ route: Route, again: Bool = false) {
    update { tree in if again || tree.top != route { tree.front.push(route, again: true) } }
  }

  /// Changes the tree as a link asks for. The closure of the parser may run again, as that of
  /// ``update(_:)`` may.
  ///
  /// - Throws: ``DeepLinkParserError`` for the first invalid part of the link.
  public func open(_ link: URL) throws(DeepLinkParserError) {
    try update { tree throws(DeepLinkParserError) in try links.open(link, in: &tree) }
  }

  /// Presents a screen, and waits for its result.
  ///
  /// ```swift
  /// if let filter = await navigation.present(.filter) { model.apply(filter) }
  /// ```
  ///
  /// | event | result |
  /// | --- | --- |
  /// | the screen calls ``finish(_:of:with:)`` | That result, once. The screen leaves. |
  /// | the modal leaves in another way: by ``close(_:)``, a link, an update, or the user | `nil` |
  /// | the caller is cancelled | `nil`. The modal leaves. |
  /// | the front modal is already a stack with only this route, for another caller | `nil` at once, so that two taps present one screen. A modal that no caller waits for gets this caller. |
  ///
  /// - Note: The caller waits as long as the modal is in the tree, also if no container shows it.
  ///   `NavigationTreeDelegate` shows it in UIKit.
  /// - Cancellation: A caller that is already cancelled presents nothing.
  public func present<Result: Sendable>(
    _ request: ResultRoute<Route, Result>, as style: ModalStyle = .sheet
  ) async -> Result? {
    guard !Task.isCancelled else { return nil }
    let promise = Promise<Result?>()
    let caller = ResultCaller(promise)
    guard let entry = commit({ $0.present(request.route, as: style, for: caller) }) else { return nil }
    return await result(of: promise) {
      caller.end()
      close(entry)
    }
  }

  /// Ends a presented screen with its result: its modal leaves, with those above it.
  ///
  /// ```swift
  /// navigation.finish(.filter, of: entry, with: filter)
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request that presents the screen.
  ///   - entry: The screen that ends, or a screen above it in the same modal. A screen of the base
  ///     is popped, and has no caller.
  ///   - result: The result. It is dropped if no caller waits for one of this type.
  /// - Returns: Whether a caller gets the result.
  @discardableResult
  public func finish<Result: Sendable>(
    _ request: ResultRoute<Route, Result>, of entry: NavigationEntry<Route>, with result: Result
  ) -> Bool {
    var (root, callers) = replace { $0.finish(entry) }
    let caller = root.flatMap { callers.removeValue(forKey: $0) }
    let isDelivered = caller?.end(with: result) ?? false
    for caller in callers.values { caller.end() }
    return isDelivered
  }

  /// Closes a screen without a result, as its own button does. The first screen of a modal closes
  /// the modal, and a pushed screen leaves with those above it. Does nothing if the screen has
  /// left, or is a root of the base.
  public func close(_ entry: NavigationEntry<Route>) { commit { $0.remove(entry) } }

  /// Shows an alert above all screens, and waits for a tap.
  ///
  /// ```swift
  /// switch await navigation.choose(from: .unsavedChanges) {
  /// case .save: try await form.save()
  /// case .discard: form.discard()
  /// case nil: break
  /// }
  /// ```
  ///
  /// Other alerts wait until this one has closed. A link and an update change the screens below it.
  ///
  /// - Note: The caller waits as long as the alert is in the tree, also if no user interface shows
  ///   it. `NavigationTreeDelegate` shows it in UIKit.
  /// - Cancellation: A cancelled caller gets `nil`, and the alert closes. A caller that is already
  ///   cancelled shows none.
  /// - Returns: The action of the tapped button, or `nil` if it has none, or if the alert has
  ///   closed without a tap.
  public func choose<Action>(
    from alert: AlertState<Action>, as style: NavigationAlert.Style = .alert
  ) async -> Action? {
    guard !Task.isCancelled else { return nil }
    let promise = Promise<Int?>()
    let shown = commit { $0.alerts.add(alert.withIndices, style, for: ResultCaller(promise)) }
    let button = await result(of: promise) { tap(nil, in: shown) }
    return button.flatMap { alert.buttons[$0].action }
  }

  /// Closes an alert. Call this if your user interface draws ``NavigationTree/alert`` itself. Does
  /// nothing if the alert has closed.
  ///
  /// - Parameters:
  ///   - button: The index of the tapped button, or `nil` for none.
  ///   - alert: The alert that was shown to the user.
  public func tap(_ button: Int?, in alert: NavigationAlert) {
    guard let caller = commit({ $0.alerts.remove(alert) }) else { return }
    if let button, alert.state.buttons.indices.contains(button) {
      _ = caller.end(with: button)
    } else {
      caller.end()
    }
  }

  /// Waits for a result that comes without an error.
  private func result<Result>(
    of promise: Promise<Result?>, onCancel: @Sendable () -> Void
  ) async -> Result? {
    await withTaskCancellationHandler {
      (try? await promise.value) ?? nil
    } onCancel: {
      onCancel()
    }
  }

  /// The entries above a root, or `nil` if the tree has no stack with this root. Without a root,
  /// those of the front stack of the base.
  func entries(above root: NavigationEntry<Route>?) -> [NavigationEntry<Route>]? {
    let state = store.value
    guard let root else { return state.entries.baseFront.routes }
    return state.entries(above: root)
  }

  /// Selects the tabs that lead to a stack, in the base or in a modal.
  func select(_ root: NavigationEntry<Route>) { commit { $0.select(root) } }

  /// Removes closed entries. See ``NavigationState/close(_:of:)``.
  func close(_ closed: [NavigationEntry<Route>], of shown: [NavigationEntry<Route>]) {
    commit { $0.close(closed, of: shown) }
  }

  @discardableResult
  private func commit<Output, Failure: Error>(
    _ change: (inout NavigationState<Route>) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let (output, callers) = try replace(change)
    for caller in callers.values { caller.end() }
    return output
  }

  /// Replaces the state.
  ///
  /// - Returns: Also the callers whose modals have left. One commit removes a caller, and ends it.
  private func replace<Output, Failure: Error>(
    _ change: (inout NavigationState<Route>) throws(Failure) -> Output
  ) throws(Failure) -> (Output, [NavigationEntry<Route>: ResultCaller]) {
    var (result, isCurrent): ((Output, [NavigationEntry<Route>: ResultCaller]), Bool)
    repeat {
      // Not under the lock, because the app's `==` can run any code.
      let (old, version) = store.storage.versionedValue
      var new = old
      let output = try change(&new)
      isCurrent =
        new == old
        ? store.storage.versionedValue.1 == version : store.storage.send(new, ifVersion: version)
      result = (output, old.callers.filter { new.callers[$0.key] == nil })
    } while !isCurrent
    return result
  }
}
