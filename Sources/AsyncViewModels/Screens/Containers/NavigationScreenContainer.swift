/// A stack of screens that shows the top screen.
///
/// The hooks run in this order:
///
/// - Push of B on A: B `willMove(to:)`, `didLoad` · A `willDisappear` · B `willAppear` · A `didDisappear` ·
///   B `didAppear`, `didMove(to:)`
/// - Pop of B: B `willMove(to: nil)`, `willDisappear` · A `willAppear` · B `didDisappear` · A `didAppear` ·
///   B `didMove(to: nil)`
/// - Cancelled pop of B: The steps of a pop up to A `willAppear`, then A `willDisappear`, `didDisappear` ·
///   B `willAppear`, `didAppear`, `didMove(to:)`
/// - Pop to the root: The steps of a pop, with the top screen as B and the root as A. The screens between them
///   only get `willMove(to:)` and `didMove(to:)`.
///
/// A change of the stack while the stack is off display calls no appearance hooks.
///
/// - Isolation: The main actor.
/// - Ownership: The stack does not keep the host of a popped screen. If no caller keeps that host, the screen
///   is released and its bindings end. A caller that keeps the host can push it again without another load.
/// - Reentrancy: During a transition, further changes throw ``ScreenHostError/transitionInProgress``. A
///   screen may push and pop in its `didAppear`.
@MainActor
public final class NavigationScreenContainer: HostedScreen {
  /// The screens from the root to the top. Never empty.
  public internal(set) var screens: [ScreenHost]

  weak var host: ScreenHost?
  /// The interactive pop that is in progress.
  var swipe: ScreenPop?
  var isMoving = false

  /// Creates a stack with one screen, the root.
  ///
  /// - Parameter root: A host that has no parent and is not on display.
  /// - Precondition: Until the stack is loaded, `root` has no other parent, does not contain the stack, and is
  ///   not shown or ended. Otherwise the load stops the process.
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
  /// - Throws: ``ScreenHostError/duplicateScreen``, ``ScreenHostError/transitionInProgress``, or the errors
  ///   of ``ScreenHost/willMove(to:)``.
  /// - Precondition: Until the stack is loaded, a pushed screen gets no other parent, does not contain the
  ///   stack, and is not shown or ended. Otherwise the load stops the process.
  public func push(_ screen: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try checkCanMove()
    guard !screens.contains(where: { $0 === screen }) else { throw .duplicateScreen }
    // Before the load, the stack does not know its host, so this check compares screens instead of hosts.
    guard screen.screen !== self else { throw .containsItself }
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
    try finishMoving(screen)
  }

  /// Creates a host for `screen`, pushes the host and returns it.
  @discardableResult
  public func push(_ screen: some HostedScreen, animated: Bool = false) throws(ScreenHostError) -> ScreenHost
  {
    let host = ScreenHost(screen)
    try push(host, animated: animated)
    return host
  }

  /// Adds the screens of the stack to the stack's host.
  public func didLoad(in host: ScreenHost) {
    self.host = host
    for screen in screens { host.contain(screen, shown: screen === top) }
  }

  /// Cancels an interactive pop, because the stack leaves the display before the pop is finished.
  public func willDisappear(animated: Bool) {
    if let swipe { try? cancel(swipe) }
  }

  func checkCanMove() throws(ScreenHostError) {
    guard host?.phase != .ended else { throw .ended }
    guard !isMoving, swipe == nil else { throw .transitionInProgress }
  }

  /// Makes other changes throw ``ScreenHostError/transitionInProgress`` while `body` runs.
  func whileMoving(_ body: () throws(ScreenHostError) -> Void) throws(ScreenHostError) {
    // Moves can be nested: if a hook hides the stack while a pop begins, the cancellation of the pop is a move
    // inside the move that begins the pop.
    let wasMoving = isMoving
    isMoving = true
    defer { isMoving = wasMoving }
    try body()
  }

  /// Hides `old` and begins to show `new`.
  ///
  /// The caller then calls `new.endEntering(animated:)` outside ``whileMoving(_:)``, because a screen may change
  /// the stack in its `didAppear`.
  func exchange(_ old: ScreenHost, for new: ScreenHost, animated: Bool) {
    old.beginLeaving(animated: animated)
    new.beginEntering(animated: animated)
    old.endLeaving()
  }

  /// Takes the last step of adding `screen`, or of cancelling its removal. Does nothing if that step was already
  /// taken, for example by a pop in the screen's `didAppear`.
  func finishMoving(_ screen: ScreenHost) throws(ScreenHostError) {
    guard let host, screen.parent === host, screen !== swipe?.from else { return }
    guard screen.containment == .added || screen.containment == .leaving else { return }
    try screen.didMove(to: host)
  }
}
