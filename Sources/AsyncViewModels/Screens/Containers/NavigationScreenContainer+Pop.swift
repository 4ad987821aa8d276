extension NavigationScreenContainer {
  /// Removes the top screen.
  ///
  /// - Returns: The host of the removed screen. The host no longer has a parent. If the screen was loaded, it
  ///   stays loaded. Releasing the host ends the screen's bindings.
  /// - Throws: ``ScreenHostError/nothingToPop``, ``ScreenHostError/transitionInProgress``,
  ///   ``ScreenHostError/ended``.
  @discardableResult
  public func pop(animated: Bool = false) throws(ScreenHostError) -> ScreenHost {
    guard screens.count > 1 else { throw .nothingToPop }
    return try pop(to: screens[screens.count - 2], animated: animated)[0]
  }

  /// Removes all screens above the root.
  ///
  /// - Returns: The hosts of the removed screens, top first.
  /// - Throws: ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``.
  @discardableResult
  public func popToRoot(animated: Bool = false) throws(ScreenHostError) -> [ScreenHost] {
    try pop(to: root, animated: animated)
  }

  /// Removes all screens above `screen`.
  ///
  /// - Returns: The hosts of the removed screens, top first.
  /// - Throws: ``ScreenHostError/unknownScreen``, ``ScreenHostError/transitionInProgress``,
  ///   ``ScreenHostError/ended``.
  @discardableResult
  public func pop(to screen: ScreenHost, animated: Bool = false) throws(ScreenHostError) -> [ScreenHost] {
    try checkCanMove()
    guard let index = screens.firstIndex(where: { $0 === screen }) else { throw .unknownScreen }
    let popped = Array(screens[(index + 1)...].reversed())
    guard let old = popped.first else { return [] }
    guard host != nil else {
      screens.removeSubrange((index + 1)...)
      return popped
    }
    try whileMoving { () throws(ScreenHostError) in
      for screen in popped { try finishAdding(screen) }
      for screen in popped { try screen.willMove(to: nil) }
      screens.removeSubrange((index + 1)...)
      exchange(old, for: screen, animated: animated)
    }
    screen.endEntering(animated: animated)
    for screen in popped { try removeFromHost(screen) }
    return popped
  }

  /// Begins an interactive pop of the top screen, such as a swipe back.
  ///
  /// Until the transition is finished or cancelled, the top screen is disappearing and the screen below it is
  /// appearing.
  ///
  /// - Throws: ``ScreenHostError/nothingToPop``, ``ScreenHostError/offDisplay(_:)`` if the stack is not
  ///   visible, ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``.
  ///   ``ScreenHostError/transitionEnded`` if a hook of this step hides the stack, which cancels the pop.
  public func beginPop() throws(ScreenHostError) -> ScreenPopTransition {
    try checkCanMove()
    guard screens.count > 1 else { throw .nothingToPop }
    guard let host, host.phase == .visible else { throw .offDisplay(host?.phase ?? .unloaded) }
    let (old, new) = (top, screens[screens.count - 2])
    let transition = ScreenPopTransition(of: self, from: old, to: new)
    try whileMoving { () throws(ScreenHostError) in
      try finishAdding(old)
      try old.willMove(to: nil)
      self.transition = transition
      old.beginLeaving(animated: true)
      // If a hook has hidden the stack, the pop is already cancelled, and `old` counts as shown again.
      guard self.transition === transition else { return }
      new.beginEntering(animated: true)
    }
    guard self.transition === transition else { throw .transitionEnded }
    return transition
  }

  func finish(_ transition: ScreenPopTransition) throws(ScreenHostError) {
    let (old, new) = (transition.from, transition.to)
    screens.removeLast()
    try whileMoving { old.endLeaving() }
    new.endEntering(animated: true)
    try removeFromHost(old)
  }

  func cancel(_ transition: ScreenPopTransition) throws(ScreenHostError) {
    let (old, new) = (transition.from, transition.to)
    try whileMoving {
      new.leave(animated: true)
      old.beginEntering(animated: true)
    }
    old.endEntering(animated: true)
    if let host, old.parent === host { try old.didMove(to: host) }
  }

  private func removeFromHost(_ screen: ScreenHost) throws(ScreenHostError) {
    guard let host, screen.parent === host else { return }
    try host.remove(screen)
    try screen.removeFromParent()
  }
}

/// A handle that finishes or cancels an interactive pop.
///
/// If the stack begins to disappear before the pop has ended, the stack cancels the pop.
///
/// - Isolation: The main actor.
@MainActor
public final class ScreenPopTransition {
  /// The screen that is disappearing.
  public let from: ScreenHost
  /// The screen that is appearing.
  public let to: ScreenHost

  private weak var container: NavigationScreenContainer?

  init(of container: NavigationScreenContainer, from: ScreenHost, to: ScreenHost) {
    self.container = container
    self.from = from
    self.to = to
  }

  /// Completes the pop.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` if the pop is already finished or cancelled, or if the stack
  ///   was deallocated.
  public func finish() throws(ScreenHostError) { try leave().finish(self) }

  /// Cancels the pop: the lower screen disappears again, then the top screen appears again.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` if the pop is already finished or cancelled, or if the stack
  ///   was deallocated.
  public func cancel() throws(ScreenHostError) { try leave().cancel(self) }

  private func leave() throws(ScreenHostError) -> NavigationScreenContainer {
    guard let container, container.transition === self else { throw .transitionEnded }
    container.transition = nil
    return container
  }
}
