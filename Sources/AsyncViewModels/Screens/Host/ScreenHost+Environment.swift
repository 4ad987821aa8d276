/// What reaches a screen from outside: sizes, traits, the keyboard, memory warnings. It is given to the root, and goes from parent to
/// child. None of it is a view model's business: the screen reads it, and tells the view model what it means, if anything.
extension ScreenHost {
  /// The traits now.
  public var traits: ScreenTraits { traitState.value }

  /// A new observer of the traits: those of now, then each change, equal ones left out. It ends with the screen.
  public func traitChanges() -> AsyncStream<ScreenTraits> { traitState.distinctStream() }

  /// A new observer of the keyboard: each change while the screen is on display, from now on. It ends with the screen.
  public func keyboardChanges() -> AsyncStream<KeyboardChange> { keyboard.stream() }

  /// Gives the traits to the screen and all its children, shown or not.
  ///
  /// - Throws: ``ScreenHostError/drivenByParent``: a child has its parent's.
  public func setTraits(_ traits: ScreenTraits) throws(ScreenHostError) {
    try checkIsRoot()
    apply(traits)
  }

  /// Hands a change of the keyboard to the screen and its children, as far as they are on display.
  public func send(_ change: KeyboardChange) {
    guard phase.isOnDisplay else { return }
    keyboard.send(change)
    for child in children where child.isShown { child.send(change) }
  }

  /// Tells the screen and all its children, as far as they are loaded; parents first.
  public func sendMemoryWarning() {
    if phase.isLoaded { screen.didReceiveMemoryWarning() }
    for child in children { child.sendMemoryWarning() }
  }

  /// Gives the screen a size at once, and its children theirs: it is laid out where it is on display, or as soon as it is.
  ///
  /// - Throws: ``ScreenHostError/invalidSize(_:)``, ``ScreenHostError/drivenByParent``.
  public func resize(to size: ViewportSize) throws(ScreenHostError) {
    try checkIsRoot()
    guard size.isValid else { throw .invalidSize(size) }
    apply(size)
  }

  /// Begins a change of size: tells the screen and its shown children, parents first, then runs what goes alongside.
  ///
  /// - Returns: the handle that finishes or cancels it.
  /// - Throws: ``ScreenHostError/transitionInProgress`` while another one is under way, ``ScreenHostError/offDisplay(_:)`` where
  ///   there is nothing to animate, ``ScreenHostError/invalidSize(_:)``, ``ScreenHostError/drivenByParent``.
  public func beginTransition(
    to size: ViewportSize, animated: Bool = true
  ) throws(ScreenHostError) -> ScreenSizeTransition {
    try checkIsRoot()
    guard phase.isOnDisplay else { throw .offDisplay(phase) }
    guard sizeTransition == nil else { throw .transitionInProgress }
    guard size.isValid else { throw .invalidSize(size) }
    let coordinator = ScreenTransitionCoordinator(size: size, isAnimated: animated)
    let transition = ScreenSizeTransition(of: self, with: coordinator)
    sizeTransition = transition
    announce(size, with: coordinator)
    coordinator.run()
    return transition
  }

  /// A change of size from its beginning to its end. Throws as ``beginTransition(to:animated:)`` does.
  public func transition(to size: ViewportSize, animated: Bool = true) throws(ScreenHostError) {
    try beginTransition(to: size, animated: animated).finish()
  }
}

extension ScreenHost {
  func apply(_ size: ViewportSize) {
    do { run(try appearance.resize(to: size)) } catch { return }
    for child in children where child.isShown { resize(child) }
  }

  /// Gives a child of this host what it inherits.
  func furnish(_ child: ScreenHost) {
    child.apply(traits)
    resize(child)
  }

  func resize(_ child: ScreenHost) {
    if let size { child.apply(screen.size(of: child, in: size)) }
  }

  private func apply(_ traits: ScreenTraits) {
    traitState.send(traits)
    for child in children { child.apply(traits) }
  }

  private func announce(_ size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
    screen.willTransition(to: size, with: coordinator)
    for child in children where child.isShown {
      child.announce(screen.size(of: child, in: size), with: coordinator)
    }
  }
}
