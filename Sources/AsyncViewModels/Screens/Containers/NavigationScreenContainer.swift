/// A stack of screens, of which the top one is shown.
///
/// | | order |
/// | --- | --- |
/// | push B on A | B `willMove(to:)`, `didLoad` · A `willDisappear` · B `willAppear` · A `didDisappear` · B `didAppear`, `didMove(to:)` |
/// | pop B | B `willMove(to: nil)`, `willDisappear` · A `willAppear` · B `didDisappear` · A `didAppear` · B `didMove(to: nil)` |
/// | a pop that is called off | … A `willDisappear`, `didDisappear` · B `willAppear`, `didAppear`, `didMove(to:)` |
/// | pop to the root | as a pop of the top one; those in between only move |
///
/// - Promises: what is popped is not kept: it ends, with what it has bound, unless the caller keeps its host, and can push it again
///   without another load. Off display the stack changes without any appearance.
/// - Isolation: the main actor.
/// - Re-entrancy: while screens are on their way, further changes are refused with ``ScreenHostError/transitionInProgress``. From
///   `didAppear` on, a screen may push and pop.
@MainActor
public final class NavigationScreenContainer: HostedScreen {
  /// From the root to the top; never empty.
  public internal(set) var screens: [ScreenHost]

  weak var host: ScreenHost?
  var transition: ScreenPopTransition?
  var isMoving = false

  /// - Parameter root: a host that has no parent, and is not on display.
  public init(root: ScreenHost) {
    screens = [root]
  }

  public convenience init(root: some HostedScreen) {
    self.init(root: ScreenHost(root))
  }

  public var root: ScreenHost { screens[0] }
  public var top: ScreenHost { screens[screens.count - 1] }

  /// Puts a screen on top.
  ///
  /// - Throws: ``ScreenHostError/duplicateScreen``, ``ScreenHostError/transitionInProgress``, or as ``ScreenHost/willMove(to:)`` does.
  public func push(_ screen: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try checkCanMove()
    guard !screens.contains(where: { $0 === screen }) else { throw .duplicateScreen }
    guard let host else {
      try screen.checkIsFree()
      return screens.append(screen)
    }
    let old = top
    try whileMoving { () throws(ScreenHostError) in
      try screen.willMove(to: host)
      try host.add(screen, shown: false)
      screens.append(screen)
      screen.loadWithParent()
      exchange(old, for: screen, animated: animated)
    }
    screen.endEntering(animated: animated)
    try settle(screen)
  }

  /// Makes a host for `screen`, and pushes it.
  @discardableResult
  public func push(_ screen: some HostedScreen, animated: Bool = false) throws(ScreenHostError) -> ScreenHost
  {
    let host = ScreenHost(screen)
    try push(host, animated: animated)
    return host
  }

  public func didLoad(in host: ScreenHost) {
    self.host = host
    for screen in screens { host.contain(screen, shown: screen === top) }
  }

  /// A person who leaves in the middle of a swipe has not gone back.
  public func willDisappear(animated: Bool) {
    try? transition?.cancel()
  }

  func checkCanMove() throws(ScreenHostError) {
    guard !isMoving, transition == nil else { throw .transitionInProgress }
  }

  /// Refuses other changes while `body` runs.
  func whileMoving(_ body: () throws(ScreenHostError) -> Void) throws(ScreenHostError) {
    isMoving = true
    defer { isMoving = false }
    try body()
  }

  /// All of an exchange but the last half, in which `new` arrives: from there on the stack may change again.
  func exchange(_ old: ScreenHost, for new: ScreenHost, animated: Bool) {
    old.beginLeaving(animated: animated)
    new.beginEntering(animated: animated)
    old.endLeaving()
  }

  /// Completes the arrival of a screen, which a pop from its `didAppear` has done already.
  func settle(_ screen: ScreenHost) throws(ScreenHostError) {
    guard let host, screen.containment == .added, screen.parent === host else { return }
    try screen.didMove(to: host)
  }
}
