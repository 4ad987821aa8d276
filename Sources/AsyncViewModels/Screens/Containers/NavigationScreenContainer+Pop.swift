extension NavigationScreenContainer {
  /// Takes the top screen off.
  ///
  /// - Returns: its host, loaded still and without a parent. It ends when nobody keeps it.
  /// - Throws: ``ScreenHostError/nothingToPop``, ``ScreenHostError/transitionInProgress``.
  @discardableResult
  public func pop(animated: Bool = false) throws(ScreenHostError) -> ScreenHost {
    guard screens.count > 1 else { throw .nothingToPop }
    return try pop(to: screens[screens.count - 2], animated: animated)[0]
  }

  /// Takes off all but the root. At the root it does nothing.
  ///
  /// - Returns: the hosts of what was taken off, top first.
  /// - Throws: ``ScreenHostError/transitionInProgress``.
  @discardableResult
  public func popToRoot(animated: Bool = false) throws(ScreenHostError) -> [ScreenHost] {
    try pop(to: root, animated: animated)
  }

  /// Takes off what lies on `screen`. Where that is the top, it does nothing.
  ///
  /// - Returns: the hosts of what was taken off, top first.
  /// - Throws: ``ScreenHostError/unknownScreen``, ``ScreenHostError/transitionInProgress``.
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
      for screen in popped { try settle(screen) }
      for screen in popped { try screen.willMove(to: nil) }
      screens.removeSubrange((index + 1)...)
      exchange(old, for: screen, animated: animated)
    }
    screen.endEntering(animated: animated)
    for screen in popped { try forget(screen) }
    return popped
  }

  /// Begins to go back one screen, as a swipe does: both screens are on their way until the transition is finished or cancelled.
  ///
  /// - Throws: ``ScreenHostError/nothingToPop``, ``ScreenHostError/offDisplay(_:)`` where the stack is not visible,
  ///   ``ScreenHostError/transitionInProgress``.
  public func beginPop() throws(ScreenHostError) -> ScreenPopTransition {
    try checkCanMove()
    guard screens.count > 1 else { throw .nothingToPop }
    guard let host, host.phase == .visible else { throw .offDisplay(host?.phase ?? .unloaded) }
    let (old, new) = (top, screens[screens.count - 2])
    let transition = ScreenPopTransition(of: self, from: old, to: new)
    try whileMoving { () throws(ScreenHostError) in
      try settle(old)
      try old.willMove(to: nil)
      self.transition = transition
      old.beginLeaving(animated: true)
      new.beginEntering(animated: true)
    }
    return transition
  }

  func finish(_ transition: ScreenPopTransition) throws(ScreenHostError) {
    let (old, new) = (transition.from, transition.to)
    screens.removeLast()
    try whileMoving { old.endLeaving() }
    new.endEntering(animated: true)
    try forget(old)
  }

  func cancel(_ transition: ScreenPopTransition) throws(ScreenHostError) {
    let (old, new) = (transition.from, transition.to)
    try whileMoving { new.leave(animated: true) }
    old.enter(animated: true)
    if let host, old.parent === host { try old.didMove(to: host) }
  }

  private func forget(_ screen: ScreenHost) throws(ScreenHostError) {
    guard let host, screen.parent === host else { return }
    try host.remove(screen)
    try screen.removeFromParent()
  }
}

/// A pop that a person has begun and may still call off. Where the stack leaves the display before that, it is cancelled.
///
/// - Isolation: the main actor.
@MainActor
public final class ScreenPopTransition {
  /// The screen on its way out.
  public let from: ScreenHost
  /// The screen on its way in.
  public let to: ScreenHost

  private weak var container: NavigationScreenContainer?

  init(of container: NavigationScreenContainer, from: ScreenHost, to: ScreenHost) {
    self.container = container
    self.from = from
    self.to = to
  }

  /// Completes the pop.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` when it was finished or cancelled before.
  public func finish() throws(ScreenHostError) { try leave().finish(self) }

  /// Takes the pop back: the screen below disappears again, then the top one appears again.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` when it was finished or cancelled before.
  public func cancel() throws(ScreenHostError) { try leave().cancel(self) }

  private func leave() throws(ScreenHostError) -> NavigationScreenContainer {
    guard let container, container.transition === self else { throw .transitionEnded }
    container.transition = nil
    return container
  }
}
