/// Shows the screens of a navigation tree: stacks in tabs, and modals above them.
///
/// ```swift
/// let navigation = NavigationModel(
///   NavigationTree(.tabs([.stack(.home), .stack(.cart)])), links: AppRoute.links)
/// let window = ScreenHost(TreeScreenContainer(following: navigation) { AppScreen($0.route) })
/// try window.show()
/// navigation.update { $0.select(.cart) }
/// navigation.update { $0.present(.filter) }
/// ```
///
/// | event | effect |
/// | --- | --- |
/// | the container loads | It shows the current tree, without animation. |
/// | the tree changes | The container shows the newest tree soon after. Screens of unchanged routes stay, unless the containers below or around them change. Screens of trees in between are not made. |
/// | tabs are selected and paths change at once | What is off display changes first, so that it appears with its newest path. |
/// | modals leave | Those that no longer are in the tree, and those above them, leave in one transition, and what they have covered appears. Then new modals enter, one after the other. |
/// | a cover enters | What is below it disappears. A sheet and a popover hide nothing. |
/// | a screen is popped | Its route leaves the tree before the method that pops returns. See ``NavigationScreenContainer/follow(_:animated:makeScreen:)``. |
///
/// - Isolation: The main actor.
/// - Ownership: The container keeps the model and `makeScreen`, which must not capture the
///   container. It releases a screen whose route left the tree.
@MainActor
package final class TreeScreenContainer<Route: Hashable & Sendable>: HostedScreen {
  private struct Layer {
    /// How the layer covers what is below it, or `nil` for the base.
    let style: ModalStyle?
    let container: ShownContainer<Route>

    var host: ScreenHost { container.host }
  }

  private let model: NavigationModel<Route>
  private let animated: Bool
  private let makeScreen: @MainActor (NavigationEntry<Route>) -> ScreenHost
  private weak var host: ScreenHost?
  /// The base, and the modals above it. Empty before the load.
  private var layers: [Layer] = []
  private var isShowing = false
  private var observation: CancellationToken?

  /// Creates a container, and no screen.
  ///
  /// - Parameters:
  ///   - model: The model whose tree the container shows.
  ///   - animated: Whether later changes of paths and modals are animated.
  ///   - makeScreen: Creates the screen of an entry, which has no host yet. Called on the main
  ///     actor, for each entry that the tree gains, and again if the tree changes meanwhile.
  package init(
    following model: NavigationModel<Route>, animated: Bool = true,
    makeScreen: @escaping @MainActor (NavigationEntry<Route>) -> any HostedScreen
  ) {
    self.model = model
    self.animated = animated
    self.makeScreen = { ScreenHost(makeScreen($0)) }
  }

  /// The host of the screen that the user sees, or `nil` before the load.
  package var top: ScreenHost? { layers.last?.container.top }

  /// Shows the newest tree now, instead of soon after its change.
  package func update() { show(animated: animated) }

  package func didLoad(in host: ScreenHost) {
    // Of an earlier host.
    layers = []
    self.host = host
    show(animated: false)
    observation = model.store.observe(on: self) { container, _ in container.update() }
  }

  /// Shows the newest tree, one step after the other. Hooks can change the tree in between.
  private func show(animated: Bool) {
    // A hook has called. The call that is running also shows the change of the hook.
    guard !isShowing, let host else { return }
    isShowing = true
    defer { isShowing = false }
    do { while try step(in: host, animated: animated) {} } catch {
      // A hook has taken a layer away from this container, or has ended the container. The next
      // change of the tree is shown from what is left.
      layers.removeAll { $0.host.parent !== host }
    }
  }

  /// Returns whether another step may follow.
  private func step(in host: ScreenHost, animated: Bool) throws(ScreenHostError) -> Bool {
    try host.checkCanMoveChildren()
    let tree = model.store.value.entries
    let wanted = tree.layers
    let kept = zip(layers, wanted).prefix {
      $0.style == $1.style && $0.container.roots == $1.content.stacks.map(\.root)
    }.count
    update(to: wanted[..<kept], hiddenOnly: true)
    if kept < layers.count {
      try move(removing: layers[kept...], adding: nil, in: host, animated: animated)
      return true
    }
    update(to: wanted[..<kept], hiddenOnly: false)
    guard model.store.value.entries == tree else { return true }
    guard kept < wanted.count else { return false }
    let container = ShownContainer(wanted[kept].content, of: model, animated: self.animated, makeScreen)
    // Making the screens can change the tree.
    guard model.store.value.entries == tree else { return true }
    let layer = Layer(style: wanted[kept].style, container: container)
    try move(removing: [], adding: layer, in: host, animated: animated)
    return true
  }

  private func update(
    to wanted: ArraySlice<(style: ModalStyle?, content: ShownContainer<Route>.Container)>, hiddenOnly: Bool
  ) {
    for (layer, wanted) in zip(layers, wanted) {
      layer.container.update(to: wanted.content, hiddenOnly: hiddenOnly)
    }
  }

  /// Removes the front layers, or adds one in front.
  private func move(
    removing removed: ArraySlice<Layer>, adding added: Layer?, in host: ScreenHost, animated: Bool
  ) throws(ScreenHostError) {
    let new = layers.dropLast(removed.count) + (added.map { [$0] } ?? [])
    let (old, shown) = (Self.visible(layers), Self.visible(Array(new)))
    try host.moveChildren(
      removing: removed.reversed().map(\.host), adding: added.map { [$0.host] } ?? [],
      hiding: old.reversed().filter { layer in !shown.contains { $0 === layer } },
      showing: shown.filter { layer in !old.contains { $0 === layer } }, animated: animated
    ) { layers = Array(new) }
  }

  /// The layers that no cover hides.
  private static func visible(_ layers: [Layer]) -> [ScreenHost] {
    let first = layers.lastIndex { $0.style == nil || $0.style == .cover } ?? 0
    return layers[first...].map(\.host)
  }
}
