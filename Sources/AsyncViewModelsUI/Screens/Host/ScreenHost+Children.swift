extension ScreenHost {
  /// Replaces all children with `child`, and shows `child`.
  ///
  /// The old children go through all steps of removing, the last added child first. Then `child`
  /// goes through all steps of adding. If `child` is already the only child, nothing happens.
  ///
  /// | a hook during this call | effect |
  /// | --- | --- |
  /// | shows, ends or moves `child` | It gets an error. |
  /// | embeds a screen as soon as the old children are removed, such as a placeholder in `didMove(nil)` | This call then replaces that screen with `child`. |
  /// | embeds a screen at any other time before `didMove(to:)` of `child` | It gets ``ScreenHostError/transitionInProgress``. |
  /// | ends this screen | This call throws ``ScreenHostError/ended``. The children that are already removed stay removed. |
  ///
  /// - Throws: ``ScreenHostError/transitionInProgress``, ``ScreenHostError/containsItself``,
  ///   ``ScreenHostError/ended``, ``ScreenHostError/onDisplay(_:)``, or
  ///   ``ScreenHostError/illegalContainment(from:to:)`` if `child` has a parent. The old children
  ///   then stay.
  public func embed(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    if children.count == 1, children[0] === child, child.containment == .contained { return }
    guard !isMovingChildren else { throw .transitionInProgress }
    guard isEmbedding else { return try replaceAll(with: child, animated: animated) }
    // A hook of another embedding calls. Its screen is complete before the other embedding replaces
    // it.
    guard children.allSatisfy({ $0.containment == .contained }) else { throw .transitionInProgress }
    try whileMovingChildren { () throws(ScreenHostError) in
      try replace(children.reversed(), with: child, animated: animated)
    }
  }

  /// Creates a host for `screen`, embeds the host and returns it.
  @discardableResult
  public func embed(_ screen: some HostedScreen, animated: Bool = false) throws(ScreenHostError) -> ScreenHost
  {
    let child = ScreenHost(screen)
    try embed(child, animated: animated)
    return child
  }

  /// Takes all steps of removing each of the old children, then all steps of adding `child`.
  ///
  /// - Parameter afterRemoval: Runs between the last removal and the first step of adding.
  func replace(
    _ oldChildren: [ScreenHost], with child: ScreenHost, animated: Bool,
    afterRemoval: () throws(ScreenHostError) -> Void = {}
  ) throws(ScreenHostError) {
    try child.checkCanMove(to: self)
    for old in oldChildren { try old.containment.check(moveTo: .leaving) }
    do {
      // While `child` is joining, a hook of an old child can only withdraw it.
      child.join(self)
      // A completion of the cancelled change of size may have withdrawn the announcement or taken
      // the next step.
      guard child.containment == .joining, child.expectedParent === self else {
        throw .illegalContainment(from: child.containment, to: .added)
      }
      defer { if child.expectedParent === self { child.setContainment(.detached, nil) } }
      for old in oldChildren where old.parent === self { try detach(old, animated: animated) }
      try afterRemoval()
    }
    try attach(child, animated: animated)
  }

  /// Replaces all children with `child`, and the children that hooks add while the old children are
  /// removed.
  private func replaceAll(with child: ScreenHost, animated: Bool) throws(ScreenHostError) {
    isEmbedding = true
    defer { isEmbedding = false }
    try replace(children.reversed(), with: child, animated: animated) {
      () throws(ScreenHostError) in
      isEmbedding = false
      try whileMovingChildren { () throws(ScreenHostError) in
        for added in children.reversed() where added.containment == .contained && added.parent === self {
          try detach(added, animated: animated)
        }
      }
    }
  }

  /// Takes the three steps of adding a child.
  func attach(_ child: ScreenHost, animated: Bool) throws(ScreenHostError) {
    try whileMovingChildren { () throws(ScreenHostError) in
      try child.willMove(to: self)
      try add(child, animated: animated)
    }
    try checkNotEnded()
    try child.didMove(to: self)
  }

  /// Takes the three steps of removing a child.
  func detach(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try child.willMove(to: nil)
    try checkNotEnded()
    try remove(child, animated: animated)
    try checkNotEnded()
    try child.removeFromParent()
  }

  /// Removes, adds, hides and shows children in one transition.
  ///
  /// - Parameter record: Runs after the hooks that announce the moves, and before the appearance
  ///   hooks.
  func moveChildren(
    removing removed: [ScreenHost], adding added: [ScreenHost], hiding hidden: [ScreenHost],
    showing shown: [ScreenHost], animated: Bool, _ record: () -> Void
  ) throws(ScreenHostError) {
    try whileMovingChildren { () throws(ScreenHostError) in
      for child in removed { try finishMoving(child) }
      for child in removed {
        try checkNotEnded()
        try child.willMove(to: nil)
      }
      for child in added {
        try child.willMove(to: self)
        try add(child, shown: false)
      }
      record()
      for child in shown { child.loadWithParent() }
      for child in hidden { child.beginLeaving(animated: animated) }
      for child in shown { child.beginEntering(animated: animated) }
      for child in hidden { child.endLeaving() }
    }
    // A screen may change its container in its `didAppear`.
    for child in shown { child.endEntering(animated: animated) }
    for child in removed where child.parent === self {
      try remove(child)
      try child.removeFromParent()
    }
    for child in added { try finishMoving(child) }
  }

  /// Takes the last step of adding a child, or of cancelling its removal. Does nothing if that step
  /// was already taken, for example by a pop in the child's `didAppear`.
  private func finishMoving(_ child: ScreenHost) throws(ScreenHostError) {
    guard child.parent === self else { return }
    guard child.containment == .added || child.containment == .leaving else { return }
    try child.didMove(to: self)
  }

  /// Checks that no hook has ended this screen, which detaches the children.
  func checkNotEnded() throws(ScreenHostError) {
    guard phase != .ended else { throw .ended }
  }
}

/// The steps of showing and hiding a child. After a `begin` function, a container must call the
/// matching `end` function. Each container orders the steps of the old and of the new child in its
/// own way.
extension ScreenHost {
  func enter(animated: Bool) {
    beginEntering(animated: animated)
    endEntering(animated: animated)
  }

  func leave(animated: Bool) {
    beginLeaving(animated: animated)
    endLeaving()
  }

  /// Loads this screen if its parent is loaded. A container calls this function before the previous
  /// screen begins to disappear.
  func loadWithParent() {
    if let parent, parent.phase.isLoaded { go(to: .loaded) }
  }

  func beginEntering(animated: Bool) {
    // A child may be removed, and still have its parent.
    guard let parent, containment != .removed else { return }
    isShown = true
    parent.resize(self)
    // If this screen is still disappearing, a hook of the layout may have removed or hidden it.
    guard isShown(in: parent) else { return }
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

/// Support for containers that receive screens before the container itself has a host.
extension ScreenHost {
  /// Checks that this screen may become a child: it has no parent, has not ended, and is not on
  /// display.
  func checkIsFree() throws(ScreenHostError) {
    try containment.check(moveTo: .joining)
    guard phase != .ended else { throw .ended }
    guard !phase.isOnDisplay else { throw .onDisplay(phase) }
  }

  /// Adds the children that a container received before it had a host, in a move of the container.
  ///
  /// A child that has another parent, has ended, or is on display is left out, and so is a child
  /// whose announcement a hook withdraws. All children are announced before the first hook runs, so
  /// no hook can show, end or move them.
  func contain(_ newChildren: [ScreenHost], shown: (ScreenHost) -> Bool) {
    let fit = newChildren.filter { (try? $0.checkCanMove(to: self)) != nil }
    for child in fit { child.setContainment(.joining, self) }
    whileMovingChildren {
      for child in fit {
        if let sizeChange = child.sizeChange { child.cancel(sizeChange) }
      }
      for child in fit where child.containment == .joining && child.expectedParent === self {
        if phase != .ended { child.screen.willMove(to: self) }
        do throws(ScreenHostError) {
          try add(child, shown: shown(child))
          try child.didMove(to: self)
        } catch {
          // A hook has withdrawn the announcement, or has ended this screen.
          guard child.containment == .joining, child.expectedParent === self else { continue }
          child.setContainment(.detached, nil)
        }
      }
    }
  }
}

/// The rule of all containers for a hook that changes the container: while a load or a move is in
/// progress, another change throws ``ScreenHostError/transitionInProgress`` or, if it cannot throw,
/// waits for the end.
extension ScreenHost {
  func checkCanMoveChildren() throws(ScreenHostError) {
    guard phase != .ended else { throw .ended }
    guard !isMovingChildren else { throw .transitionInProgress }
  }

  /// Makes other changes of the children throw ``ScreenHostError/transitionInProgress`` while
  /// `body` runs.
  func whileMovingChildren<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    // Moves can be nested: `embed` removes a child and attaches another one.
    let wasMoving = isMovingChildren
    isMovingChildren = true
    defer { isMovingChildren = wasMoving }
    try body()
  }
}
