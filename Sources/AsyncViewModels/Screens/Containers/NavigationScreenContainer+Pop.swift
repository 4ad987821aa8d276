extension NavigationScreenContainer {
  /// Removes the top screen.
  ///
  /// - Returns: The host of the removed screen. The host no longer has a parent. If the screen was
  ///   loaded, it stays loaded. Releasing the host ends the screen's bindings.
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
    try replaceScreens(above: screen, with: [], animated: animated)
  }

  /// Begins an interactive pop of the top screen, such as a swipe back.
  ///
  /// Until the transition is finished or cancelled, the top screen is disappearing and the screen
  /// below it is appearing.
  ///
  /// - Returns: The handle that finishes or cancels the pop. Releasing the handle cancels the pop.
  /// - Throws: ``ScreenHostError/nothingToPop``, ``ScreenHostError/offDisplay(_:)`` if the stack is
  ///   not visible, ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``.
  ///   ``ScreenHostError/transitionEnded`` if a hook hides the stack during this call, which
  ///   cancels the pop.
  public func beginPop() throws(ScreenHostError) -> ScreenPopTransition {
    try checkCanMove()
    guard screens.count > 1 else { throw .nothingToPop }
    guard let host, host.phase == .visible else { throw .offDisplay(host?.phase ?? .unloaded) }
    let swipe = ScreenPop(from: top, to: screens[screens.count - 2])
    let (old, new) = (swipe.from, swipe.to)
    try whileMoving { () throws(ScreenHostError) in
      try finishMoving(old)
      try old.willMove(to: nil)
      // If this hook has hidden the stack, there was no pop yet that the stack could cancel. So
      // only the announcement of the removal is withdrawn.
      guard host.phase == .visible else { return try finishMoving(old) }
      self.swipe = swipe
      old.beginLeaving(animated: true)
      // If a hook has hidden the stack, the pop is already cancelled, and `old` counts as shown
      // again.
      guard self.swipe === swipe else { return }
      new.beginEntering(animated: true)
    }
    guard self.swipe === swipe else { throw .transitionEnded }
    return ScreenPopTransition(of: self, swipe)
  }

  func finish(_ swipe: ScreenPop) throws(ScreenHostError) {
    let (old, new) = try end(swipe)
    screens.removeLast()
    try whileMoving { old.endLeaving() }
    new.endEntering(animated: true)
    try removeFromHost(old)
    onChange?(self)
  }

  func cancel(_ swipe: ScreenPop) throws(ScreenHostError) {
    let (old, new) = try end(swipe)
    try whileMoving {
      new.leave(animated: true)
      old.beginEntering(animated: true)
    }
    old.endEntering(animated: true)
    try finishMoving(old)
    onChange?(self)
  }

  private func end(_ swipe: ScreenPop) throws(ScreenHostError) -> (old: ScreenHost, new: ScreenHost) {
    guard self.swipe === swipe else { throw .transitionEnded }
    self.swipe = nil
    return (swipe.from, swipe.to)
  }

  func removeFromHost(_ screen: ScreenHost) throws(ScreenHostError) {
    guard let host, screen.parent === host else { return }
    try host.remove(screen)
    try screen.removeFromParent()
  }
}

/// The screens of an interactive pop that is in progress. The stack keeps this object instead of
/// the handle, so that only the caller keeps the handle alive.
@MainActor
final class ScreenPop {
  let from: ScreenHost
  let to: ScreenHost

  init(from: ScreenHost, to: ScreenHost) {
    self.from = from
    self.to = to
  }
}

/// A handle that finishes or cancels an interactive pop.
///
/// If the stack begins to disappear before the pop has ended, the stack cancels the pop.
///
/// - Isolation: The main actor. The last reference may be released on any thread.
/// - Cancellation: If the last reference is released before the pop has ended, the pop is
///   cancelled. The hooks of the cancellation run soon after the release, in a task on the main
///   actor, and never inside another hook. Until then, changes of the stack throw
///   ``ScreenHostError/transitionInProgress``.
@MainActor
public final class ScreenPopTransition {
  /// The screen that is disappearing.
  public let from: ScreenHost
  /// The screen that is appearing.
  public let to: ScreenHost

  private let swipe: ScreenPop
  private weak var container: NavigationScreenContainer?
  /// Whether the caller has ended the pop. If so, the release of the handle cancels nothing.
  private var isEnded = false

  init(of container: NavigationScreenContainer, _ swipe: ScreenPop) {
    self.container = container
    self.swipe = swipe
    from = swipe.from
    to = swipe.to
  }

  /// Completes the pop.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` if the pop is already finished or cancelled, or
  ///   if the stack was deallocated.
  public func finish() throws(ScreenHostError) { try containerOfPop().finish(swipe) }

  /// Cancels the pop: the lower screen disappears again, then the top screen appears again.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` if the pop is already finished or cancelled, or
  ///   if the stack was deallocated.
  public func cancel() throws(ScreenHostError) { try containerOfPop().cancel(swipe) }

  private func containerOfPop() throws(ScreenHostError) -> NavigationScreenContainer {
    isEnded = true
    guard let container else { throw .transitionEnded }
    return container
  }

  deinit {
    guard !isEnded else { return }
    // In a task: the release may be on another thread, or in a hook. The hooks of the cancellation
    // must not run inside that hook.
    Task { @MainActor [weak container, swipe] in try? container?.cancel(swipe) }
  }
}
