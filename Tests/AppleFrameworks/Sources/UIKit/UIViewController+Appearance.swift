extension UIViewController {
  /// Begins to show or hide the view: calls the `will` callback of this controller, and then of its children.
  ///
  /// Does nothing if the view is already on display or hidden, or is appearing or disappearing. The opposite direction
  /// cancels a transition.
  func beginAppearance(_ isAppearing: Bool, animated: Bool) {
    let isThere =
      isAppearing
      ? appearance == .appearing || appearance == .appeared
      : appearance == .disappearing || appearance == .disappeared
    if isThere { return }
    if isAppearing { loadViewIfNeeded() }
    let state: AppearanceState = isAppearing ? .appearing : .disappearing
    appearance = state
    isAppearanceAnimated = animated
    isInAppearanceTransition = true
    needsViewIsAppearing = isAppearing
    if isAppearing {
      viewWillAppear(animated)
      if appearance == state { prepareChildrenForAppearance() }
    } else {
      viewWillDisappear(animated)
    }
    guard appearance == state else { return }
    for child in forwardingTargets(appearing: isAppearing) where appearance == state && contains(child) {
      child.beginAppearance(isAppearing, animated: animated)
    }
    guard appearance == state else { return }
    didBeginAppearanceOfChildren(appearing: isAppearing)
  }

  /// Calls `viewIsAppearing`, once in each appearance: when the view is in a window, before its layout.
  func callViewIsAppearingIfNeeded() {
    guard needsViewIsAppearing, appearance == .appearing, let window = viewIfLoaded?.window else { return }
    needsViewIsAppearing = false
    update(to: window.traits)
    viewIsAppearing(isAppearanceAnimated)
    for child in forwardingTargets(appearing: true) where appearance == .appearing && contains(child) {
      child.callViewIsAppearingIfNeeded()
    }
  }

  /// Ends the appearance or disappearance, if one is in progress: calls the `did` callback of this
  /// controller, and then of its children.
  func endAppearance() {
    let isAppearing = appearance == .appearing
    guard appearance.isChanging else { return }
    if isAppearing {
      callViewIsAppearingIfNeeded()
      guard appearance == .appearing else { return }
    }
    let state: AppearanceState = isAppearing ? .appeared : .disappeared
    appearance = state
    needsViewIsAppearing = false
    let targets = forwardingTargets(appearing: isAppearing)
    if isAppearing { viewDidAppear(isAppearanceAnimated) } else { viewDidDisappear(isAppearanceAnimated) }
    guard appearance == state else { return }
    isInAppearanceTransition = false
    if isAppearing { isJoiningParent = false } else { isLeavingParent = false }
    for child in targets where appearance == state && contains(child) {
      // Only begins if this controller's transition ended before it reached the child.
      child.beginAppearance(isAppearing, animated: isAppearanceAnimated)
      child.endAppearance()
    }
    guard appearance == state else { return }
    didEndAppearanceOfChildren(appearing: isAppearing)
  }

  /// Whether the view of a child is in this controller's view. A callback may have removed it.
  func contains(_ child: UIViewController) -> Bool {
    guard child.parent === self, let view = viewIfLoaded else { return false }
    return child.viewIfLoaded?.isDescendant(of: view) == true
  }

  func warnOfUnbalancedCalls() {
    StandInConsole.warn("Unbalanced calls to begin/end appearance transitions for \(type(of: self)).")
  }
}

/// The appearance of a controller whose view moves into or out of a window.
extension UIViewController {
  /// Whether this controller gets appearance calls if its view enters `window` now: if it has no parent, or
  /// if the parent forwards the calls and is itself on display or appearing.
  func appearsAutomatically(in window: UIWindow?) -> Bool {
    guard let parent else { return window?.isHidden == false }
    guard parent.shouldAutomaticallyForwardAppearanceMethods else { return false }
    return parent.appearance == .appearing || parent.appearance == .appeared
  }

  /// Whether this controller gets appearance calls if its view leaves the window now.
  var disappearsAutomatically: Bool { parent?.shouldAutomaticallyForwardAppearanceMethods ?? true }

  func beginAutomaticAppearance(_ isAppearing: Bool) {
    let isAnimated = parent.map { $0.appearance.isChanging && $0.isAppearanceAnimated } ?? false
    beginAppearance(isAppearing, animated: isAnimated)
  }

  /// Ends the appearance that the move into the window began. If the parent is still appearing, its end also
  /// ends the appearance of this child.
  func endAutomaticAppearance() {
    // A callback may have hidden the parent in the meantime.
    guard let window = viewIfLoaded?.window, appearsAutomatically(in: window) else {
      beginAppearance(false, animated: isAppearanceAnimated)
      endAppearance()
      return
    }
    if let parent, parent.appearance == .appearing {
      if !parent.needsViewIsAppearing { callViewIsAppearingIfNeeded() }
      return
    }
    PendingWork.end(animated: false) { [weak self] in
      guard let self, self.appearance == .appearing else { return }
      self.callViewIsAppearingIfNeeded()
      self.viewIfLoaded?.layoutIfNeeded()
      if self.parent?.appearance != .appearing { self.endAppearance() }
    }
  }
}
