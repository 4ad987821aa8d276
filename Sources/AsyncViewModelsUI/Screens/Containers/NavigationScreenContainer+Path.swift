extension NavigationScreenContainer {
  /// Shows the screens of a navigation path, and removes the routes of popped screens from the
  /// path.
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
  /// The stack shows the current path when this method returns, and each later path soon after the
  /// change, in one transition from the old to the new top screen. Screens of routes at the
  /// beginning of the path that have not changed stay.
  ///
  /// A screen that is already in the stack, or that other code pushes, has no route. It stays until
  /// it is popped, or until a screen below it is removed. So a team can give its screens routes one
  /// at a time.
  ///
  /// - Isolation: `makeScreen` runs on the main actor, once for each route that the path gains. If
  ///   it changes the path or the stack itself, it can run again for the same route.
  /// - Ordering: A pop removes the route from the path before the method that pops returns. If the
  ///   path has changed at the same time, the pop is discarded, and the stack shows the new path. A
  ///   path that changes during a transition is shown after it.
  /// - Ownership: The stack keeps the model and `makeScreen`, and releases a screen whose route
  ///   left the path. `makeScreen` must not capture the stack.
  ///
  /// - Parameters:
  ///   - model: The model whose path the stack shows.
  ///   - animated: Whether later changes of the path are animated. The stack shows the first path
  ///     without animation.
  ///   - makeScreen: Creates the screen of a route. The screen has no host yet.
  /// - Precondition: The stack does not follow a path yet.
  public func follow<Route>(
    _ model: NavigationModel<Route>, animated: Bool = true,
    makeScreen: @escaping @MainActor (Route) -> any HostedScreen
  ) {
    guard onChange == nil else { fatalError("NavigationScreenContainer: the stack already follows a path") }
    let follower = PathFollower<Route, NavigationScreenContainer>(model) { ScreenHost(makeScreen($0)) }
    onChange = follower.stackChanged
    follower.follow(on: self, animated: animated)
  }
}

extension NavigationScreenContainer: PathStack {
  /// Does nothing, because `onChange` runs after each transition.
  func afterTransition(_ action: @escaping @MainActor () -> Void) {}
}
