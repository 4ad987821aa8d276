/// Driving a host that has no parent. Where it has one, all of this throws ``ScreenHostError/drivenByParent``, but for the load.
extension ScreenHost {
  /// Loads the screen, which may happen once.
  ///
  /// - Throws: ``ScreenHostError/illegalTransition(from:to:)`` when it is loaded already.
  public func load() throws(ScreenHostError) { try move(to: .loaded) }

  /// Loads the screen where that has not been done.
  ///
  /// - Throws: ``ScreenHostError/illegalTransition(from:to:)`` when it has ended.
  public func loadIfNeeded() throws(ScreenHostError) {
    if !phase.isLoaded { try move(to: .loaded) }
  }

  /// The first half of showing it; loads it first where that has not been done. The other half is ``endAppearing()``, or
  /// ``beginDisappearing(animated:)`` where the appearance is called off.
  public func beginAppearing(animated: Bool = false) throws(ScreenHostError) {
    try checkIsRoot()
    if phase == .unloaded { try load() }
    try move(to: .appearing, animated: animated)
  }

  public func endAppearing() throws(ScreenHostError) { try drive(to: .visible) }

  /// The first half of hiding it. The other half is ``endDisappearing()``, or ``beginAppearing(animated:)`` where the
  /// disappearance is called off.
  public func beginDisappearing(animated: Bool = false) throws(ScreenHostError) {
    try drive(to: .disappearing, animated: animated)
  }

  public func endDisappearing() throws(ScreenHostError) { try drive(to: .hidden) }

  /// Both halves of showing it.
  public func show(animated: Bool = false) throws(ScreenHostError) {
    try beginAppearing(animated: animated)
    try endAppearing()
  }

  /// Both halves of hiding it.
  public func hide(animated: Bool = false) throws(ScreenHostError) {
    try beginDisappearing(animated: animated)
    try endDisappearing()
  }

  /// Ends what the screen has bound, then its children, for good. It has to be off display.
  public func end() throws(ScreenHostError) { try drive(to: .ended) }

  private func drive(to next: ScreenPhase, animated: Bool = false) throws(ScreenHostError) {
    try checkIsRoot()
    try move(to: next, animated: animated)
  }

  func checkIsRoot() throws(ScreenHostError) {
    guard parent == nil else { throw .drivenByParent }
  }
}

extension ScreenHost {
  /// Takes a step, and the children that are shown with it: the parent's hook comes first, then theirs, first added first.
  func move(to next: ScreenPhase, animated: Bool = false) throws(ScreenHostError) {
    let hooks = try appearance.move(to: next, animated: animated)
    if next == .ended { return release() }
    run(hooks)
    for child in children where child.isShown {
      // A hook that took this screen elsewhere has taken its children along.
      guard phase == next else { return }
      child.follow(next, animated: animated)
    }
  }

  /// Goes where the parent is. A screen in the view of a loaded parent is loaded.
  func follow(_ parentPhase: ScreenPhase, animated: Bool) {
    go(to: parentPhase, animated: animated)
    if parentPhase.isLoaded { go(to: .loaded) }
  }

  /// Takes the legal steps to `target`, if there are any.
  func go(to target: ScreenPhase, animated: Bool = false) {
    for step in appearance.steps(to: target) {
      // A hook may have taken the screen elsewhere in between: what it did last stands.
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
      case .didLayout(let size): screen.didLayout(in: size)
      }
    }
  }

  private func release() {
    bindings.close()
    try? sizeTransition?.cancel()
    keyboard.finish()
    traitState.finish()
    for child in children.reversed() {
      child.go(to: .hidden)
      child.setContainment(.detached, nil)
      try? child.move(to: .ended)
    }
    children = []
  }
}
