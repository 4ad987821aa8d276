/// The environment of a screen: its size, traits, keyboard changes and memory warnings.
///
/// The app passes the environment to the root, and each parent to its children. Keep it out of the
/// view models: a screen passes to its view model only what the view model has to know.
///
/// A hidden screen misses nothing: when it appears, it receives the current size, traits and
/// keyboard, if they have changed.
extension ScreenHost {
  /// The current traits.
  public var traits: ScreenTraits { traitState.value }

  /// Returns a stream of the current traits and their changes, without consecutive duplicates. The
  /// stream ends when the screen ends or its host is released.
  public func traitChanges() -> AsyncStream<ScreenTraits> { traitState.states(of: \.self) }

  /// Returns a stream of the keyboard changes. The stream ends when the screen ends or its host is
  /// released.
  ///
  /// | when | the stream yields |
  /// | --- | --- |
  /// | now, if the keyboard covers a part of the screen | that change |
  /// | while the screen is on display | each change |
  /// | the screen appears | the last change that it has missed, such as the end of a keyboard; nothing if it is first shown without a keyboard |
  public func keyboardChanges() -> AsyncStream<KeyboardChange> {
    let received = appearance.receivedKeyboard
    let covering = received.flatMap { $0.height > 0 ? $0 : nil }
    return keyboard.events(startingWith: covering)
  }

  /// Sets the traits of the screen and all its children, shown or not.
  ///
  /// - Throws: ``ScreenHostError/drivenByParent`` if the screen has a parent, whose traits it
  ///   inherits.
  public func setTraits(_ traits: ScreenTraits) throws(ScreenHostError) {
    try checkIsRoot()
    apply(traits)
  }

  /// Sends a keyboard change to the screen and its children. A screen that is not on display
  /// receives the last change when it appears, if that differs from the last one that it has
  /// received.
  public func send(_ change: KeyboardChange) {
    appearance.keyboard = change
    if phase.isOnDisplay { deliverKeyboard() }
    for child in children { child.send(change) }
  }

  /// Sends a memory warning to the screen and all its children that are loaded. A parent receives
  /// the warning before its children.
  public func sendMemoryWarning() {
    if phase.isLoaded { screen.didReceiveMemoryWarning() }
    for child in children where child.parent === self { child.sendMemoryWarning() }
  }

  /// Sets the size of the screen and of its shown children without a transition.
  ///
  /// A screen on display is laid out at once. Any other screen is laid out when it appears.
  ///
  /// - Throws: ``ScreenHostError/invalidSize(_:)``, ``ScreenHostError/drivenByParent``.
  public func resize(to size: ViewportSize) throws(ScreenHostError) {
    try checkIsRoot()
    guard size.isValid else { throw .invalidSize(size) }
    apply(size)
  }

  /// Changes the size of a screen on display.
  ///
  /// First calls ``HostedScreen/willTransition(to:with:)`` of the screen and its shown children,
  /// each parent before its children. Then runs the alongside actions that these calls have added,
  /// lays the screens out in the new size, and runs the completions.
  ///
  /// - Throws: ``ScreenHostError/transitionInProgress`` during another change of size,
  ///   ``ScreenHostError/offDisplay(_:)``, ``ScreenHostError/invalidSize(_:)``,
  ///   ``ScreenHostError/drivenByParent``, or ``ScreenHostError/transitionEnded`` if a hook or an
  ///   alongside action cancels the change.
  public func transition(to size: ViewportSize, animated: Bool = true) throws(ScreenHostError) {
    let change = try announceTransition(to: size, animated: animated)
    change.run()
    try finish(change)
  }
}

extension ScreenHost {
  /// - Precondition: `size` is valid.
  func apply(_ size: ViewportSize) {
    beginLayout(in: size)
    run(appearance.endLayout())
    for child in children where child.isShown(in: self) { resize(child) }
  }

  /// Sets a valid size, and calls `willLayout` if the screen is on display and needs a layout.
  func beginLayout(in size: ViewportSize) {
    appearance.size = size
    run(appearance.beginLayout())
  }

  /// Gives a screen that appears the conditions that it has missed. The parent has set them while
  /// the screen was hidden. The streams of the traits have them already.
  func deliverMissedConditions() {
    if phase.isOnDisplay, appearance.misses(appearance.keyboard) { deliverKeyboard() }
    run(appearance.beginLayout())
    run(appearance.endLayout())
  }

  /// Sends a keyboard change, unless it is the last one that the screen has received.
  func sendIfMissed(_ change: KeyboardChange) {
    if appearance.misses(change) { send(change) }
  }

  private func deliverKeyboard() {
    appearance.receivedKeyboard = appearance.keyboard
    keyboard.send(appearance.keyboard)
  }

  /// Begins a change of size, and leaves the alongside actions to the caller.
  func announceTransition(
    to size: ViewportSize, animated: Bool
  ) throws(ScreenHostError) -> ScreenTransitionCoordinator {
    try checkIsRoot()
    guard phase.isOnDisplay else { throw .offDisplay(phase) }
    guard sizeChange == nil else { throw .transitionInProgress }
    guard size.isValid else { throw .invalidSize(size) }
    let coordinator = ScreenTransitionCoordinator(size: size, isAnimated: animated)
    sizeChange = coordinator
    announce(size, with: coordinator)
    return coordinator
  }

  /// Lays the screens out in the new size, then runs the completions.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` if `change` is no longer in progress.
  func finish(_ change: ScreenTransitionCoordinator) throws(ScreenHostError) {
    guard sizeChange === change else { throw .transitionEnded }
    sizeChange = nil
    apply(change.size)
    change.end(cancelled: false)
  }

  /// Cancels `change` if it is still in progress.
  func cancel(_ change: ScreenTransitionCoordinator) {
    guard sizeChange === change else { return }
    sizeChange = nil
    change.end(cancelled: true)
  }

  /// Gives a new child its traits, its keyboard and its size.
  func applyEnvironment(to child: ScreenHost) {
    child.apply(traits)
    child.send(appearance.keyboard)
    resize(child)
  }

  func resize(_ child: ScreenHost) {
    if let size, let childSize = validSize(of: child, in: size) { child.apply(childSize) }
  }

  /// Returns the size that the screen gives a child, or `nil` in a release build if that size is
  /// invalid.
  private func validSize(of child: ScreenHost, in size: ViewportSize) -> ViewportSize? {
    let size = screen.size(of: child, in: size)
    guard size.isValid else {
      let (parent, child) = (type(of: screen), type(of: child.screen))
      assertionFailure("ScreenHost: \(parent) gives \(child) an invalid size: \(size.width) × \(size.height)")
      return nil
    }
    return size
  }

  private func apply(_ traits: ScreenTraits) {
    traitState.send(traits)
    for child in children { child.apply(traits) }
  }

  private func announce(_ size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
    screen.willTransition(to: size, with: coordinator)
    for child in children where child.isShown(in: self) {
      if let childSize = validSize(of: child, in: size) { child.announce(childSize, with: coordinator) }
    }
  }
}
