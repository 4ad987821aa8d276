/// The screens of a container of a navigation tree.
@MainActor
final class ShownContainer<Route: Hashable & Sendable> {
  typealias Entry = NavigationEntry<Route>
  typealias Container = NavigationTree<Entry>.Container

  private enum Content {
    case stack(NavigationScreenContainer, PathFollower<Route, NavigationScreenContainer>)
    case tabs(TabScreenContainer, [ShownContainer])
  }

  /// The host of all screens of the container.
  let host: ScreenHost
  /// The roots of all stacks. A container with other roots has other screens.
  let roots: [Entry]
  private let content: Content

  /// Creates the screens of all routes, and loads none.
  init(
    _ container: Container, of model: NavigationModel<Route>, animated: Bool,
    _ makeScreen: @escaping @MainActor (Entry) -> ScreenHost
  ) {
    roots = container.stacks.map(\.root)
    switch container {
    case .stack(let root, _):
      let stack = NavigationScreenContainer(root: makeScreen(root))
      let follower = PathFollower<Route, NavigationScreenContainer>(model, above: root, makeScreen)
      stack.onChange = follower.stackChanged
      follower.begin(on: stack, animated: animated)
      content = .stack(stack, follower)
      host = ScreenHost(stack)
    case .tabs(let tabs, let selected):
      let children = tabs.map { ShownContainer($0, of: model, animated: animated, makeScreen) }
      let screens = TabScreenContainer(freeTabs: children.map(\.host), selected: selected)
      content = .tabs(screens, children)
      host = ScreenHost(screens)
    }
  }

  /// The host of the screen that the user sees if this container is in front.
  var top: ScreenHost {
    switch content {
    case .stack(let stack, _): stack.top
    case .tabs(let tabs, let children): children[tabs.selectedIndex].top
    }
  }

  /// Selects the tab and shows the paths of the model.
  ///
  /// - Parameter hiddenOnly: Whether what is on display stays as it is.
  func update(to container: Container, hiddenOnly: Bool) {
    let mayChange = !hiddenOnly || !host.phase.isOnDisplay
    switch content {
    case .stack(let stack, let follower): if mayChange { follower.show(on: stack) }
    case .tabs(let tabs, let children):
      // Containers with the same roots have the same shape.
      if case .tabs(let containers, let selected) = container {
        if mayChange { try? tabs.select(selected) }
        for (child, container) in zip(children, containers) {
          child.update(to: container, hiddenOnly: hiddenOnly)
        }
      }
    }
  }
}
