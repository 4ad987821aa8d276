extension NavigationScreenContainer {
  /// Shows the screens of a navigation path, and removes the routes of popped screens from the path.
  ///
  /// ```swift
  /// let stack = NavigationScreenContainer(root: HomeScreen())
  /// stack.follow(navigation) { route in
  ///   switch route {
  ///   case .cart: CartScreen(model: cart)
  ///   case .product(let id): ProductScreen(lease: products.assumeIsolated { $0.lease(id) })
  ///   }
  /// }
  /// navigation.push(.product(7))  // the stack shows the screen of product 7
  /// try stack.pop()               // the path is at the root again
  /// ```
  ///
  /// The stack shows the current path when this method returns, and each later path soon after the change, in
  /// one transition from the old to the new top screen. Screens of routes at the beginning of the path that have
  /// not changed stay.
  ///
  /// A screen that is already in the stack, or that other code pushes, has no route. It stays until it is popped, or
  /// until a screen below it is removed. So a team can give its screens routes one at a time.
  ///
  /// - Isolation: `makeScreen` runs on the main actor, once for each route that the path gains. If it changes the path
  ///   or the stack itself, it can run again for the same route.
  /// - Ordering: A pop removes the route from the path before the method that pops returns. If the path has changed
  ///   at the same time, the pop is discarded, and the stack shows the new path. A path that changes during a
  ///   transition or an interactive pop is shown after it.
  /// - Ownership: The stack keeps the model and `makeScreen`, and releases a screen whose route left the path.
  ///   `makeScreen` must not capture the stack.
  ///
  /// - Parameters:
  ///   - model: The model whose path the stack shows.
  ///   - animated: Whether later changes of the path are animated. The stack shows the first path without animation.
  ///   - makeScreen: Creates the screen of a route. The screen has no host yet.
  /// - Precondition: The stack does not follow a path yet.
  public func follow<Route>(
    _ model: NavigationModel<Route>, animated: Bool = true,
    makeScreen: @escaping @MainActor (Route) -> any HostedScreen
  ) {
    guard onChange == nil else { fatalError("NavigationScreenContainer: the stack already follows a path") }
    let follower = PathFollower(model, makeScreen)
    onChange = follower.stackChanged
    follower.show(on: self)
    follower.observe(self, animated: animated)
  }
}

/// Keeps the screens of a stack and a navigation path in line.
@MainActor
private final class PathFollower<Route: Hashable & Sendable> {
  private let model: NavigationModel<Route>
  private let makeScreen: @MainActor (Route) -> any HostedScreen
  /// The routes that the stack shows, with their screens.
  private var entries: [(route: Route, screen: ScreenHost)] = []
  private var isAnimated = false
  private var isShowing = false
  /// Whether the path or the stack may have changed since the path was last shown.
  private var isOutdated = false
  private var observation: CancellationToken?

  init(_ model: NavigationModel<Route>, _ makeScreen: @escaping @MainActor (Route) -> any HostedScreen) {
    self.model = model
    self.makeScreen = makeScreen
  }

  /// Shows each later path.
  func observe(_ stack: NavigationScreenContainer, animated: Bool) {
    isAnimated = animated
    observation = model.pathsWithDuplicates().observe(on: stack) { [weak self] stack, _ in
      self?.show(on: stack)
    }
  }

  /// Removes the routes of popped screens from the path, and then shows the path.
  func stackChanged(_ stack: NavigationScreenContainer) {
    let shown = RoutePath(entries.map(\.route))
    dropPopped(from: stack)
    if entries.count < shown.routes.count {
      model.replace(shown, with: RoutePath(entries.map(\.route)))
    }
    show(on: stack)
  }

  /// Shows the current path, unless the stack is in a transition. After the transition, the stack calls
  /// ``stackChanged(_:)``.
  func show(on stack: NavigationScreenContainer) {
    isOutdated = true
    // A hook or `makeScreen` has changed the stack. The call that is running shows the path again.
    guard !isShowing else { return }
    isShowing = true
    defer { isShowing = false }
    while isOutdated, stack.canMove {
      isOutdated = false
      showOnce(on: stack)
    }
  }

  private func showOnce(on stack: NavigationScreenContainer) {
    let routes = model.path.routes
    let kept = zip(entries, routes).prefix { $0.route == $1 }.count
    guard kept < max(entries.count, routes.count) else { return }
    let added = routes[kept...].map { (route: $0, screen: ScreenHost(makeScreen($0))) }
    guard !isOutdated else { return }
    let base = kept < entries.count ? stack.screen(below: entries[kept].screen) : stack.top
    entries.replaceSubrange(kept..., with: added)
    do {
      try stack.replaceScreens(above: base, with: added.map(\.screen), animated: isAnimated)
    } catch {
      // A hook has taken a screen away from the stack, or has ended the stack.
      dropPopped(from: stack)
    }
  }

  private func dropPopped(from stack: NavigationScreenContainer) {
    let screens = Set(stack.screens.map(ObjectIdentifier.init))
    entries.removeAll { !screens.contains(ObjectIdentifier($0.screen)) }
  }
}
