/// The life-cycle calls for a host without a parent. If the screen has a parent, or a parent was
/// announced to it, all calls except ``loadIfNeeded()`` throw ``ScreenHostError/drivenByParent``. A
/// call that is not possible in the current phase throws
/// ``ScreenHostError/illegalTransition(from:to:)``.
extension ScreenHost {
  /// Loads the screen if it is not loaded.
  ///
  /// - Throws: ``ScreenHostError/illegalTransition(from:to:)`` if the screen has ended.
  public func loadIfNeeded() throws(ScreenHostError) {
    if !phase.isLoaded { try move(to: .loaded) }
  }

  /// Shows the screen, and loads it first if it is not loaded.
  public func show(animated: Bool = false) throws(ScreenHostError) {
    try drive(to: .appearing, animated: animated)
    try drive(to: .visible)
  }

  /// Hides the screen.
  public func hide(animated: Bool = false) throws(ScreenHostError) {
    try drive(to: .disappearing, animated: animated)
    try drive(to: .hidden)
  }

  /// Ends the bindings of the screen, and then the children of the screen.
  ///
  /// A screen on display cannot end: hide it first. A screen that has ended cannot be shown again.
  public func end() throws(ScreenHostError) { try drive(to: .ended) }

  /// Takes one step of the life cycle. A screen that is to appear is loaded first.
  package func drive(to next: ScreenPhase, animated: Bool = false) throws(ScreenHostError) {
    try checkIsRoot()
    if next == .appearing, phase == .unloaded { try move(to: .loaded) }
    try move(to: next, animated: animated)
  }

  func checkIsRoot() throws(ScreenHostError) {
    guard expectedParent == nil else { throw .drivenByParent }
  }
}

extension ScreenHost {
  /// Takes a step together with the shown children.
  ///
  /// This screen's hooks run first, then the hooks of its children, the first added first.
  func move(to next: ScreenPhase, animated: Bool = false) throws(ScreenHostError) {
    let hooks = try appearance.move(to: next, animated: animated)
    if next == .ended { return release() }
    run(hooks)
    // The hook may have changed the size or hidden the screen, so what the screen has missed is
    // decided only now.
    if next == .appearing { deliverMissedConditions() }
    for child in children where child.isShown(in: self) {
      // If a hook has moved this screen to another phase, the children have followed to that phase.
      guard phase == next else { return }
      child.follow(next, animated: animated)
    }
  }

  /// Goes to the phase of the parent. A shown child of a loaded parent is at least loaded.
  func follow(_ parentPhase: ScreenPhase, animated: Bool) {
    go(to: parentPhase, animated: animated)
    if parentPhase.isLoaded { go(to: .loaded) }
  }

  /// Takes the legal steps to `target`, if any.
  func go(to target: ScreenPhase, animated: Bool = false) {
    let owner = parent
    for step in appearance.steps(to: target) {
      // A hook of the load may have removed or hidden the screen, which is then in no other phase.
      if step == .appearing || step == .visible, let owner, !isShown(in: owner) { return }
      // If a hook of an earlier step has moved the screen to another phase, the screen stays in
      // that phase.
      do { try move(to: step, animated: animated) } catch { return }
    }
  }

  func run(_ hooks: [ScreenHook]) {
    for hook in hooks {
      switch hook {
      case .didLoad: screen.didLoad(in: self)
      case .willAppear(let animated): screen.willAppear(animated: animated)
      case .didAppear(let animated): screen.didAppear(animated: animated)
      case .willDisappear(let animated): screen.willDisappear(animated: animated)
      case .didDisappear(let animated): screen.didDisappear(animated: animated)
      case .willLayout(let size): screen.willLayout(in: size)
      case .didLayout(let size): screen.didLayout(in: size)
      }
    }
  }

  private func release() {
    bindings.close()
    if let sizeChange { cancel(sizeChange) }
    keyboard.finish()
    appearance.receivedKeyboard = nil
    traitState.finish()
    for child in children.reversed() where child.parent === self {
      child.go(to: .hidden)
      // A hook of this step may have moved the child to another parent.
      guard child.parent === self else { continue }
      child.setContainment(.detached, nil)
      try? child.move(to: .ended)
    }
    // The `deinit` of a child's screen may read the children, so the child is released after the
    // assignment.
    let released = children
    children = []
    withExtendedLifetime(released) {}
  }
}
