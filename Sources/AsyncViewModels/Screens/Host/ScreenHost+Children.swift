extension ScreenHost {
  /// Puts `child` in the place of whatever is there: all steps of removing for each child, last added first, then all steps of
  /// adding. Where `child` is the only one already, nothing happens.
  ///
  /// - Throws: as ``willMove(to:)`` does, or ``ScreenHostError/illegalContainment(from:to:)`` where a child is between two steps. What
  ///   was there then stays.
  public func embed(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    if children.count == 1, children[0] === child, child.containment == .contained { return }
    try child.checkCanMove(to: self)
    for old in children { try old.containment.check(moveTo: .leaving) }
    for old in children.reversed() { try detach(old, animated: animated) }
    try attach(child, shown: true, animated: animated)
  }

  /// Makes a host for `screen`, and embeds it.
  @discardableResult
  public func embed(_ screen: some HostedScreen, animated: Bool = false) throws(ScreenHostError) -> ScreenHost
  {
    let child = ScreenHost(screen)
    try embed(child, animated: animated)
    return child
  }

  /// Shows a child that is contained out of sight, as far as this screen is shown. For containers of your own.
  ///
  /// - Throws: ``ScreenHostError/wrongParent``.
  public func reveal(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    guard child.parent === self else { throw .wrongParent }
    child.enter(animated: animated)
  }

  /// Hides a child that stays contained.
  ///
  /// - Throws: ``ScreenHostError/wrongParent``.
  public func conceal(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    guard child.parent === self else { throw .wrongParent }
    child.leave(animated: animated)
  }

  /// The three steps of adding.
  func attach(_ child: ScreenHost, shown: Bool, animated: Bool = false) throws(ScreenHostError) {
    try child.willMove(to: self)
    try add(child, shown: shown, animated: animated)
    try child.didMove(to: self)
  }

  /// The three steps of removing.
  func detach(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try child.willMove(to: nil)
    try remove(child, animated: animated)
    try child.removeFromParent()
  }
}

/// The halves of showing and hiding a child among its siblings: containers put them into their own order.
extension ScreenHost {
  func enter(animated: Bool) {
    beginEntering(animated: animated)
    endEntering(animated: animated)
  }

  func leave(animated: Bool) {
    beginLeaving(animated: animated)
    endLeaving()
  }

  /// Loads a child before its sibling begins to leave.
  func loadWithParent() {
    if let parent, parent.phase.isLoaded { go(to: .loaded) }
  }

  func beginEntering(animated: Bool) {
    guard let parent else { return }
    isShown = true
    parent.resize(self)
    follow(parent.phase == .visible ? .appearing : parent.phase, animated: animated)
  }

  func endEntering(animated: Bool) {
    guard let parent, isShown else { return }
    follow(parent.phase, animated: animated)
  }

  func beginLeaving(animated: Bool) {
    isShown = false
    go(to: .disappearing, animated: animated)
  }

  func endLeaving() {
    if !isShown { go(to: .hidden) }
  }
}

/// What the package's own containers do with screens that they were given before they had a host.
extension ScreenHost {
  func checkIsFree() throws(ScreenHostError) {
    try containment.check(moveTo: .joining)
    guard phase != .ended else { throw .ended }
    guard !phase.isOnDisplay else { throw .onDisplay(phase) }
  }

  func contain(_ child: ScreenHost, shown: Bool) {
    do {
      try attach(child, shown: shown)
    } catch {
      fatalError("\(type(of: screen)): \(type(of: child.screen)) cannot be contained: \(error)")
    }
  }
}
