/// A navigation tree whose routes have an identity, alerts, and the callers that wait for results.
struct NavigationState<Route: Hashable & Sendable>: Equatable, Sendable {
  typealias Entry = NavigationEntry<Route>

  private(set) var entries: NavigationTree<Entry> { didSet { forgetCallers() } }
  /// The callers of modals, by the roots of these modals.
  private(set) var callers: [Entry: ResultCaller] = [:]
  var alerts = AlertQueue()

  init(_ tree: NavigationTree<Route>) { entries = tree.map(Entry.init) }

  /// The tree without the identities.
  var tree: NavigationTree<Route> {
    var tree = entries.map(\.route)
    tree.alert = alerts.shown
    return tree
  }

  /// Replaces all but the alert. Equal routes at the same place keep their entries, all others get
  /// new ones.
  ///
  /// The same place is the same stack of the base, below the first route that differs; or the same
  /// place in a modal, below the first modal with another style or root.
  mutating func replace(with new: NavigationTree<Route>) {
    let base = Self.merge(entries.base, new.base)
    let keptModals = zip(entries.modals, new.modals).prefix { old, new in
      old.style == new.style && old.content.firstRoot.route == new.content.firstRoot
    }.count
    var modals: [NavigationTree<Entry>.Modal] = []
    for (index, modal) in new.modals.enumerated() {
      let old = index < keptModals ? entries.modals[index].content : nil
      modals.append(.init(style: modal.style, content: Self.merge(old, modal.content)))
    }
    entries = NavigationTree(base, modals: modals)
  }

  /// The entries above a root, or `nil` if the tree has no stack with this root.
  func entries(above root: Entry) -> [Entry]? {
    entries.layers.flatMap(\.content.stacks).first { $0.root == root }?.path.routes
  }

  /// Removes entries that the user has closed, unless code has added an entry above one of them
  /// since.
  ///
  /// - Parameter shown: What the stack has shown, with the closed entries.
  mutating func close(_ closed: some Collection<Entry>, of shown: some Collection<Entry>) {
    let (closed, shown) = (Set(closed), Set(shown))
    entries = entries.mapPaths { path in
      guard let first = path.routes.firstIndex(where: closed.contains),
        path.routes[first...].allSatisfy(shown.contains)
      else { return path }
      return RoutePath(path.routes.filter { !closed.contains($0) })
    }
  }

  /// Presents a route for a caller, unless the front modal already shows the route to another
  /// caller.
  ///
  /// - Returns: The root of the modal whose result the caller gets.
  mutating func present(_ route: Route, as style: ModalStyle, for caller: ResultCaller) -> Entry? {
    var new = tree
    new.present(route, as: style)
    replace(with: new)
    guard let root = entries.modals.last?.content.firstRoot, callers[root] == nil else { return nil }
    callers[root] = caller
    return root
  }

  /// Removes an entry: a modal with all modals above it, or a screen with the screens above it.
  /// Does nothing if the entry is a root of the base, or not in the tree.
  mutating func remove(_ entry: Entry) { entries = entries.removing(entry) ?? entries }

  /// Removes the modal that contains an entry, or an entry of the base, and what is above it.
  ///
  /// - Returns: The root of the modal.
  mutating func finish(_ entry: Entry) -> Entry? {
    let modal = entries.modals.first { modal in
      modal.content.stacks.contains { $0.root == entry || $0.path.routes.contains(entry) }
    }
    let root = modal?.content.firstRoot
    remove(root ?? entry)
    return root
  }

  /// Selects the tabs that lead to the stack with a root, in the base or in a modal.
  mutating func select(_ root: Entry) { entries.selectStack(root) }

  /// Forgets the callers whose modals have left.
  private mutating func forgetCallers() {
    guard !callers.isEmpty else { return }
    let roots = Set(entries.modals.map(\.content.firstRoot))
    callers = callers.filter { roots.contains($0.key) }
  }

  private static func merge(
    _ old: NavigationTree<Entry>.Container?, _ new: NavigationTree<Route>.Container
  ) -> NavigationTree<Entry>.Container {
    switch (old, new) {
    case (.stack(let oldRoot, let oldPath)?, .stack(let root, let path)) where oldRoot.route == root:
      let kept = zip(oldPath.routes, path.routes).prefix { $0.route == $1 }.map(\.0)
      let added = path.routes[kept.count...].map(Entry.init)
      return .stack(oldRoot, path: RoutePath(kept + added))
    case (.tabs(let oldTabs, _)?, .tabs(let tabs, let selected)):
      var merged: [NavigationTree<Entry>.Container] = []
      for (index, tab) in tabs.enumerated() {
        merged.append(merge(index < oldTabs.count ? oldTabs[index] : nil, tab))
      }
      return .tabs(merged, selected: selected)
    default:
      return new.map(Entry.init)
    }
  }
}
