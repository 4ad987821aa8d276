/// Shows the top screen of a stack.
///
/// ```swift
/// let stack = NavigationScreenContainer(root: HomeScreen())
/// stack.follow(navigation) { route in ProductScreen(route) }
/// try stack.pop()
/// ```
///
/// | change | order of the hooks |
/// | --- | --- |
/// | push of B on A | B `willMove(to:)`, `didLoad` · A `willDisappear` · B `willAppear` · A `didDisappear` · B `didAppear`, `didMove(to:)` |
/// | pop of B | B `willMove(to: nil)`, `willDisappear` · A `willAppear` · B `didDisappear` · A `didAppear` · B `didMove(to: nil)` |
/// | pop to the root | Those of a pop, with the top screen as B and the root as A. The screens between them only get `willMove(to:)` and `didMove(to:)`. |
/// | replacement of B by C and D | B `willMove(to: nil)` · C and D `willMove(to:)` · D `didLoad` · B `willDisappear` · D `willAppear` · B `didDisappear` · D `didAppear` · B `didMove(to: nil)` · C and D `didMove(to:)` |
/// | any change off display | No appearance hooks. |
///
/// - Isolation: The main actor.
/// - Ownership: The stack does not keep the host of a popped screen. If no caller keeps that host,
///   the screen is released and its bindings end. A caller that keeps the host can push it again
///   without another load.
/// - Reentrancy: During a transition and during the load of the stack, further changes throw
///   ``ScreenHostError/transitionInProgress``. A screen may push and pop in its `didAppear`.
/// - Load: The stack leaves out a screen that got another parent, was shown or ended before the
///   stack loads.
@MainActor
public final class NavigationScreenContainer: HostedScreen {
  /// The screens from the root to the top. Never empty.
  public private(set) var screens: [ScreenHost]

  private weak var host: ScreenHost?
  /// Runs after each change of the stack.
  var onChange: (@MainActor (NavigationScreenContainer) -> Void)?

  /// Creates a stack with one screen, the root.
  ///
  /// - Parameter root: A host that has no parent and is not on display.
  public init(root: ScreenHost) {
    screens = [root]
  }

  /// Creates a stack with one screen, the root, and creates the host of that screen.
  public convenience init(root: some HostedScreen) {
    self.init(root: ScreenHost(root))
  }

  /// The bottom screen of the stack.
  public var root: ScreenHost { screens[0] }

  /// The screen that is shown.
  public var top: ScreenHost { screens[screens.count - 1] }

  /// Adds a screen on top and shows it.
  ///
  /// - Throws: ``ScreenHostError/duplicateScreen`` if the screen is already in the stack,
  ///   ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``, or an error of
  ///   ``ScreenHost/embed(_:animated:)-(ScreenHost,_)`` for a screen that cannot be added.
  public func push(_ screen: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try replaceScreens(above: top, with: [screen], animated: animated)
  }

  /// Creates a host for `screen`, pushes the host and returns it.
  @discardableResult
  public func push(_ screen: some HostedScreen, animated: Bool = false) throws(ScreenHostError) -> ScreenHost
  {
    let host = ScreenHost(screen)
    try push(host, animated: animated)
    return host
  }

  /// Removes the top screen.
  ///
  /// - Returns: The host of the removed screen. The host no longer has a parent. If the screen was
  ///   loaded, it stays loaded. Releasing the host ends the screen's bindings.
  /// - Throws: ``ScreenHostError/nothingToPop``, ``ScreenHostError/transitionInProgress``,
  ///   ``ScreenHostError/ended``.
  @discardableResult
  public func pop(animated: Bool = false) throws(ScreenHostError) -> ScreenHost {
    guard screens.count > 1 else { throw .nothingToPop }
    return try replaceScreens(above: screens[screens.count - 2], with: [], animated: animated)[0]
  }

  /// Removes all screens above the root.
  ///
  /// - Returns: The hosts of the removed screens, top first.
  /// - Throws: ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``.
  @discardableResult
  public func popToRoot(animated: Bool = false) throws(ScreenHostError) -> [ScreenHost] {
    try replaceScreens(above: root, with: [], animated: animated)
  }

  /// Removes all screens above `screen`, adds new screens on top of it, and shows the last one, in
  /// one transition.
  ///
  /// The screens between `screen` and the new top are not loaded until they are shown.
  ///
  /// - Parameters:
  ///   - screen: The topmost screen that stays.
  ///   - newScreens: The screens to add, the new top last. There may be none.
  ///   - animated: Whether the transition from the old to the new top is animated.
  /// - Returns: The hosts of the removed screens, top first.
  /// - Throws: ``ScreenHostError/unknownScreen`` if the stack does not contain `screen`,
  ///   ``ScreenHostError/duplicateScreen`` if a new screen is already in the stack or is given
  ///   twice, ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``, or an
  ///   error of ``ScreenHost/embed(_:animated:)-(ScreenHost,_)`` for a screen that cannot be added.
  /// - Complexity: O(screens).
  @discardableResult
  package func replaceScreens(
    above screen: ScreenHost, with newScreens: [ScreenHost], animated: Bool = false
  ) throws(ScreenHostError) -> [ScreenHost] {
    try host?.checkCanMoveChildren()
    guard let index = screens.firstIndex(where: { $0 === screen }) else { throw .unknownScreen }
    try check(newScreens)
    let removed = Array(screens[(index + 1)...].reversed())
    guard !removed.isEmpty || !newScreens.isEmpty else { return [] }
    if let host {
      try replace(removed, with: newScreens, above: index, in: host, animated: animated)
    } else {
      screens.replaceSubrange((index + 1)..., with: newScreens)
    }
    onChange?(self)
    return removed
  }

  /// Checks that the stack may contain `newScreens`.
  private func check(_ newScreens: [ScreenHost]) throws(ScreenHostError) {
    let known = Set((screens + newScreens).map(ObjectIdentifier.init))
    guard known.count == screens.count + newScreens.count else { throw .duplicateScreen }
    for new in newScreens {
      // Before the load, the stack does not know its host, so this check compares screens instead
      // of hosts.
      guard new.screen !== self else { throw .containsItself }
      if let host { try new.checkCanMove(to: host) } else { try new.checkIsFree() }
    }
  }

  private func replace(
    _ removed: [ScreenHost], with newScreens: [ScreenHost], above index: Int, in host: ScreenHost,
    animated: Bool
  ) throws(ScreenHostError) {
    let (old, new) = (top, newScreens.last ?? screens[index])
    try host.moveChildren(
      removing: removed, adding: newScreens, hiding: [old], showing: [new], animated: animated
    ) { screens.replaceSubrange((index + 1)..., with: newScreens) }
  }

  /// Adds the screens of the stack to the stack's host.
  public func didLoad(in host: ScreenHost) {
    self.host = host
    keep { (try? $0.checkCanMove(to: host)) != nil }
    host.whileMovingChildren {
      host.contain(screens) { $0 === top }
      // A hook may have withdrawn the top screen.
      keep { $0.parent === host }
      top.enter(animated: false)
    }
    onChange?(self)
  }

  /// Keeps only the screens that satisfy a condition. If there is none, keeps all, because a stack
  /// is never empty.
  private func keep(_ isKept: (ScreenHost) -> Bool) {
    let kept = screens.filter(isKept)
    if !kept.isEmpty { screens = kept }
  }

  /// Whether the stack may change now.
  var canMove: Bool { host.map { (try? $0.checkCanMoveChildren()) != nil } ?? true }
}
