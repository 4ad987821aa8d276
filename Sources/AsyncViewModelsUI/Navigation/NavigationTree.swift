/// What a window shows, as a value that you can compare, store, encode and decode: stacks in tabs,
/// modals above them, and an alert in front.
///
/// ```swift
/// var tree = NavigationTree<AppRoute>(.tabs([.stack(.list), .stack(.cart)]))
/// tree.front.push(.product(7))
/// tree.present(.filter)
/// tree.top  // .filter
/// tree.dismiss()
/// tree.select(.cart)
/// ```
///
/// `NavigationTreeDelegate` shows a whole tree in UIKit. In SwiftUI, `PathNavigationStack` shows
/// the path of the base, without tabs and modals.
///
/// - Complexity: O(routes in the tree) for each member.
public struct NavigationTree<Route: Hashable & Sendable>: Hashable, Sendable {
  /// Screens that belong together, as their routes.
  public indirect enum Container: Hashable, Sendable {
    /// A root, and the routes of the screens above it.
    case stack(Route, path: RoutePath<Route> = RoutePath())
    /// At least one tab, and the index of the selected tab.
    case tabs([Container], selected: Int = 0)
  }

  /// A container above others.
  public struct Modal: Hashable, Sendable {
    /// How the modal covers what is below it.
    public let style: ModalStyle
    /// The screens of the modal.
    public internal(set) var content: Container
  }

  // The shape of the base belongs to the code: no member adds or removes a stack or a tab. So a
  // tree that an earlier version of the app has stored never changes the tabs of this version.

  /// The container below all modals.
  public private(set) var base: Container
  /// The modals, the front one last.
  public private(set) var modals: [Modal]
  /// The alert in front, if there is one. It belongs to the code that waits for its answer: changes
  /// of a model's tree keep it, and encoding leaves it out.
  public internal(set) var alert: NavigationAlert?

  /// Creates a tree that is one stack.
  ///
  /// - Parameters:
  ///   - root: The route of the screen at the bottom, which is never removed.
  ///   - path: The routes of the screens above the root.
  public init(root: Route, path: RoutePath<Route> = RoutePath()) {
    self.init(.stack(root, path: path), modals: [])
  }

  /// Creates a tree without modals.
  ///
  /// - Precondition: Each container with tabs has a tab with the selected index.
  public init(_ base: Container) {
    guard base.isValid else { fatalError("NavigationTree: no tab has the selected index") }
    self.init(base, modals: [])
  }

  init(_ base: Container, modals: [Modal]) {
    self.base = base
    self.modals = modals
  }

  /// The container that the user sees: the front modal, or the base.
  private var frontContainer: Container {
    get { modals.last?.content ?? base }
    set { if modals.isEmpty { base = newValue } else { modals[modals.count - 1].content = newValue } }
  }

  /// The routes of the screens above the root, in the stack that the user sees.
  public var front: RoutePath<Route> {
    get { frontContainer.front }
    set { frontContainer.front = newValue }
  }

  /// The routes above the root of the stack that the user sees below all modals.
  var baseFront: RoutePath<Route> {
    get { base.front }
    set { base.front = newValue }
  }

  /// The route of the screen that the user sees.
  public var top: Route { front.top ?? frontContainer.root }

  /// Selects the tabs that lead to the stack with this root, in the base.
  ///
  /// - Returns: Whether the base has a stack with this root. If it has none, the tree is unchanged.
  @discardableResult
  public mutating func select(_ root: Route) -> Bool { base.select(root) }

  /// Selects the tabs that lead to the stack with this root, in the base or in a modal.
  mutating func selectStack(_ root: Route) {
    guard !base.select(root) else { return }
    for index in modals.indices where modals[index].content.select(root) { return }
  }

  /// Presents a stack that has only a root, unless the front modal is already such a stack, so that
  /// two taps on one button present one sheet. A modal that is already there keeps its style.
  ///
  /// - Parameters:
  ///   - route: The root of the new stack.
  ///   - style: How the modal covers what is below it.
  ///   - again: Whether to present the route even if the front modal already shows it.
  public mutating func present(_ route: Route, as style: ModalStyle = .sheet, again: Bool = false) {
    if again || modals.last?.content != .stack(route) { present(.stack(route), as: style) }
  }

  /// Presents a container.
  ///
  /// - Precondition: Each container with tabs has a tab with the selected index.
  public mutating func present(_ content: Container, as style: ModalStyle = .sheet) {
    guard content.isValid else { fatalError("NavigationTree: no tab has the selected index") }
    modals.append(Modal(style: style, content: content))
  }

  /// Removes the front modal, if there is one.
  public mutating func dismiss() { _ = modals.popLast() }

  /// Removes all modals.
  public mutating func dismissAll() { modals = [] }

  /// Takes over what fits from a tree that an earlier launch of the app has stored: the path of a
  /// stack with the same root, and the selection. A stack that was not stored keeps its path.
  ///
  /// ```swift
  /// let saved = try decoder.decode(NavigationTree<AppRoute>.self, from: data)
  /// navigation.update { $0.restore(saved) }
  /// ```
  ///
  /// - Complexity: O(routes + stacks²).
  public mutating func restore(_ saved: NavigationTree) {
    let paths = Dictionary(saved.base.stacks) { first, _ in first }
    base = base.restored(from: saved.base, paths)
    // In an app with other containers, the stack may be in another place.
    if base.root != saved.base.root { base.select(saved.base.root) }
    modals = saved.modals
  }

  /// All routes.
  var routes: [Route] {
    layers.flatMap(\.content.stacks).flatMap { [$0.root] + $0.path.routes }
  }

  /// All containers, from the base to the front modal.
  var layers: [(style: ModalStyle?, content: Container)] {
    [(nil, base)] + modals.map { ($0.style, $0.content) }
  }

  /// Returns the tree with changed routes.
  func map<NewRoute>(_ transform: (Route) -> NewRoute) -> NavigationTree<NewRoute> {
    NavigationTree<NewRoute>(
      base.map(transform),
      modals: modals.map { .init(style: $0.style, content: $0.content.map(transform)) })
  }

  /// Returns the tree without a route and what is above it: a modal with the modals above it, or a
  /// screen with the screens above it. Returns `nil` if the route is a root of the base, or not in
  /// the tree.
  func removing(_ route: Route) -> NavigationTree? {
    if let index = modals.firstIndex(where: { $0.content.stacks.contains { $0.root == route } }) {
      return NavigationTree(base, modals: Array(modals[..<index]))
    }
    let new = mapPaths { path in
      path.routes.firstIndex(of: route).map { RoutePath(Array(path.routes[..<$0])) } ?? path
    }
    return new == self ? nil : new
  }

  /// Returns the tree with changed paths.
  func mapPaths(_ transform: (RoutePath<Route>) -> RoutePath<Route>) -> NavigationTree {
    NavigationTree(
      base.mapStacks { .stack($0, path: transform($1)) },
      modals: modals.map { modal in
        .init(style: modal.style, content: modal.content.mapStacks { .stack($0, path: transform($1)) })
      })
  }
}

extension NavigationTree.Container {
  /// The path of the stack that the user sees.
  var front: RoutePath<Route> {
    get {
      switch self {
      case .stack(_, let path): path
      case .tabs(let tabs, let selected): tabs[selected].front
      }
    }
    set {
      switch self {
      case .stack(let root, _): self = .stack(root, path: newValue)
      case .tabs(var tabs, let selected):
        tabs[selected].front = newValue
        self = .tabs(tabs, selected: selected)
      }
    }
  }

  /// The root of the stack that the user sees.
  public var root: Route {
    switch self {
    case .stack(let root, _): root
    case .tabs(let tabs, let selected): tabs[selected].root
    }
  }

  /// The root of the first stack, which does not depend on the selected tab.
  var firstRoot: Route {
    switch self {
    case .stack(let root, _): root
    case .tabs(let tabs, _): tabs[0].firstRoot
    }
  }

  /// All roots, with the routes above them.
  var stacks: [(root: Route, path: RoutePath<Route>)] {
    switch self {
    case .stack(let root, let path): [(root, path)]
    case .tabs(let tabs, _): tabs.flatMap(\.stacks)
    }
  }

  /// This container with the paths and the selection of a stored one, if that is not `nil`.
  ///
  /// - Parameter paths: All stored paths, for a stack that was in another container.
  fileprivate func restored(from saved: Self?, _ paths: [Route: RoutePath<Route>]) -> Self {
    switch (self, saved) {
    case (.stack(let root, _), .stack(let savedRoot, let path)) where root == savedRoot:
      return .stack(root, path: path)
    case (.tabs(let tabs, let selected), .tabs(let savedTabs, let savedSelected)):
      let matches = tabs.enumerated().map { index, tab in tab.match(in: savedTabs, at: index) }
      let restored = zip(tabs, matches).map { tab, match in
        tab.restored(from: match.map { savedTabs[$0] }, paths)
      }
      return .tabs(restored, selected: matches.firstIndex(of: savedSelected) ?? selected)
    default: return mapStacks { root, path in .stack(root, path: paths[root] ?? path) }
    }
  }

  /// The stored tab that has a root of this tab: that at the same index, or the first one.
  private func match(in saved: [Self], at index: Int) -> Int? {
    let roots = Set(stacks.map(\.root))
    func fits(_ index: Int) -> Bool { saved[index].stacks.contains { roots.contains($0.root) } }
    return saved.indices.contains(index) && fits(index) ? index : saved.indices.first(where: fits)
  }

  /// Whether each container with tabs has a tab with the selected index.
  fileprivate var isValid: Bool {
    switch self {
    case .stack: true
    case .tabs(let tabs, let selected): tabs.indices.contains(selected) && tabs.allSatisfy(\.isValid)
    }
  }

  @discardableResult
  fileprivate mutating func select(_ root: Route) -> Bool {
    switch self {
    case .stack(let own, _): return own == root
    case .tabs(var tabs, _):
      guard let index = tabs.indices.first(where: { tabs[$0].select(root) }) else { return false }
      self = .tabs(tabs, selected: index)
      return true
    }
  }

  func map<NewRoute>(_ transform: (Route) -> NewRoute) -> NavigationTree<NewRoute>.Container {
    mapStacks { root, path in
      // The root comes before the routes above it.
      let root = transform(root)
      return .stack(root, path: RoutePath(path.routes.map(transform)))
    }
  }

  fileprivate func mapStacks<NewRoute>(
    _ transform: (Route, RoutePath<Route>) -> NavigationTree<NewRoute>.Container
  ) -> NavigationTree<NewRoute>.Container {
    switch self {
    case .stack(let root, let path): transform(root, path)
    case .tabs(let tabs, let selected): .tabs(tabs.map { $0.mapStacks(transform) }, selected: selected)
    }
  }
}

// MARK: - Coding

extension NavigationTree: Codable where Route: Codable {
  private enum CodingKeys: CodingKey { case base, modals }

  /// - Throws: `DecodingError`, also if no tab has the selected index, or if a route differs from
  ///   itself, as one with a NaN does.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    base = try values.decode(Container.self, forKey: .base)
    modals = try values.decode([Modal].self, forKey: .modals)
    if let route = routes.first(where: { $0 != $0 }) {
      throw DecodingError.dataCorruptedError(
        forKey: .base, in: values, debugDescription: "The route \(route) differs from itself.")
    }
  }
}

extension NavigationTree.Modal: Codable where Route: Codable {}

extension NavigationTree.Container: Codable where Route: Codable {
  private enum Key: CodingKey { case root, path, tabs, selected }

  /// - Throws: `DecodingError`, also if no tab has the selected index.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    guard values.contains(.tabs) else {
      self = .stack(
        try values.decode(Route.self, forKey: .root),
        path: try values.decode(RoutePath<Route>.self, forKey: .path))
      return
    }
    let tabs = try values.decode([Self].self, forKey: .tabs)
    let selected = try values.decode(Int.self, forKey: .selected)
    guard tabs.indices.contains(selected) else {
      throw DecodingError.dataCorruptedError(
        forKey: .selected, in: values,
        debugDescription: "There are \(tabs.count) tabs, and none has the index \(selected).")
    }
    self = .tabs(tabs, selected: selected)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .stack(let root, let path):
      try values.encode(root, forKey: .root)
      try values.encode(path, forKey: .path)
    case .tabs(let tabs, let selected):
      try values.encode(tabs, forKey: .tabs)
      try values.encode(selected, forKey: .selected)
    }
  }
}
