extension NavigationScreenContainer {
  /// Shows the screens of the path above the root of a navigation tree, and removes the routes of
  /// popped screens from the path.
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
  /// | event | effect |
  /// | --- | --- |
  /// | this method returns | The stack shows the current path, without animation. |
  /// | the path changes | The stack shows the new path soon after, in one transition. Screens of the unchanged routes at its beginning stay. A route that was removed and added again gets a new screen. |
  /// | the path changes during a transition | The stack shows it after the transition. |
  /// | a screen is popped | Its route leaves the path before the method that pops returns. |
  /// | code pushes at the same time as a pop | The pop is discarded, and the stack shows the new path. |
  /// | other code pushes a screen | The screen has no route. It stays until it is popped, or until a screen below it is removed. |
  ///
  /// So a team can give its screens routes one at a time.
  ///
  /// - Parameters:
  ///   - model: The model whose path the stack shows.
  ///   - animated: Whether later changes of the path are animated.
  ///   - makeScreen: Creates the screen of a route, which has no host yet. Called on the main
  ///     actor, once for each route that the path gains, and again if it changes the path or the
  ///     stack itself.
  /// - Ownership: The stack keeps the model and `makeScreen`, which must not capture the stack. It
  ///   releases a screen whose route left the path.
  /// - Precondition: The stack does not follow a path yet.
  public func follow<Route>(
    _ model: NavigationModel<Route>, animated: Bool = true,
    makeScreen: @escaping @MainActor (Route) -> any HostedScreen
  ) {
    guard onChange == nil else { fatalError("NavigationScreenContainer: the stack already follows a path") }
    let follower = PathFollower<Route, NavigationScreenContainer>(model) { ScreenHost(makeScreen($0.route)) }
    onChange = follower.stackChanged
    follower.follow(on: self, animated: animated)
  }
}

extension NavigationScreenContainer: PathStack {
  /// Does nothing, because `onChange` runs after each transition.
  func afterTransition(_ action: @escaping @MainActor () -> Void) {}
}
