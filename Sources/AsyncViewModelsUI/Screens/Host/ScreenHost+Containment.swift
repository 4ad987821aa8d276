/// Three steps add a child, and three steps remove a child. Each call checks the order of the
/// steps:
///
/// ```swift
/// try child.willMove(to: parent)      try child.willMove(to: nil)
/// try parent.add(child)               try parent.remove(child)
/// try child.didMove(to: parent)       try child.removeFromParent()
/// ```
///
/// An app calls ``embed(_:animated:)-(ScreenHost,_)``, which takes all steps. A step out of order
/// throws ``ScreenHostError/illegalContainment(from:to:)`` and changes nothing.
extension ScreenHost {
  /// Announces a new parent to this screen or, with `nil`, the loss of its parent. This is the
  /// first step of adding or removing.
  ///
  /// From the announcement of a parent on, only that parent can show, hide, resize or end this
  /// screen. So the announcement cancels a change of size that this screen has begun. If a new
  /// parent was announced and this screen is not added yet, `nil` withdraws the announcement.
  ///
  /// - Throws: ``ScreenHostError/containsItself``, ``ScreenHostError/ended``,
  ///   ``ScreenHostError/onDisplay(_:)``, ``ScreenHostError/illegalContainment(from:to:)``.
  package func willMove(to parent: ScreenHost?) throws(ScreenHostError) {
    if let parent {
      try checkCanMove(to: parent)
      join(parent)
      // A completion of the cancelled change of size may have withdrawn the announcement or taken
      // the next step.
      guard containment == .joining, expectedParent === parent else { return }
    } else if containment == .joining {
      setContainment(.detached, nil)
    } else {
      try containment.check(moveTo: .leaving)
      setContainment(.leaving, expectedParent)
    }
    screen.willMove(to: parent)
  }

  /// Adds a child to this screen's view and shows it: the second step of adding.
  ///
  /// If this screen is not on display, the child appears together with this screen.
  ///
  /// - Throws: ``ScreenHostError/wrongParent``, ``ScreenHostError/illegalContainment(from:to:)``.
  ///   ``ScreenHostError/ended`` if this screen has ended after the announcement.
  package func add(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try add(child, shown: true, animated: animated)
  }

  /// - Parameter shown: If `false`, the child stays hidden, like a tab that is not selected.
  func add(_ child: ScreenHost, shown: Bool, animated: Bool = false) throws(ScreenHostError) {
    try child.containment.check(moveTo: .added)
    guard child.expectedParent === self else { throw .wrongParent }
    guard phase != .ended else { throw .ended }
    child.setContainment(.added, self)
    children.append(child)
    // A parent that was deallocated may have shown the child.
    child.isShown = false
    applyEnvironment(to: child)
    if shown { child.enter(animated: animated) }
  }

  /// Tells this screen that it was added: the third step of adding. After `willMove(to: nil)`,
  /// cancels the removal instead.
  ///
  /// - Throws: ``ScreenHostError/wrongParent``, ``ScreenHostError/illegalContainment(from:to:)``.
  package func didMove(to parent: ScreenHost) throws(ScreenHostError) {
    try containment.check(moveTo: .contained)
    guard expectedParent === parent else { throw .wrongParent }
    setContainment(.contained, parent)
    screen.didMove(to: parent)
  }

  /// Hides a child and takes it out of this screen's view: the second step of removing.
  ///
  /// - Throws: ``ScreenHostError/wrongParent``, ``ScreenHostError/illegalContainment(from:to:)``.
  package func remove(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try child.containment.check(moveTo: .removed)
    guard child.parent === self else { throw .wrongParent }
    child.setContainment(.removed, self)
    child.leave(animated: animated)
  }

  /// Makes this screen a root again: the third step of removing.
  ///
  /// If the screen was loaded, it stays loaded. It can be added to another parent. Releasing this
  /// host ends the screen's bindings.
  ///
  /// - Throws: ``ScreenHostError/illegalContainment(from:to:)``.
  package func removeFromParent() throws(ScreenHostError) {
    try containment.check(moveTo: .detached)
    // A screen that is joining is not added yet. It becomes detached with willMove(to: nil)
    // instead.
    guard containment == .removed else { throw .illegalContainment(from: containment, to: .detached) }
    parent?.children.removeAll { $0 === self }
    setContainment(.detached, nil)
    screen.didMove(to: nil)
  }

  /// Announces a parent, which from now on decides the size of this screen.
  func join(_ parent: ScreenHost) {
    setContainment(.joining, parent)
    if let sizeChange { cancel(sizeChange) }
  }

  func checkCanMove(to parent: ScreenHost) throws(ScreenHostError) {
    guard !parent.isContained(in: self) else { throw .containsItself }
    guard parent.phase != .ended else { throw .ended }
    try checkIsFree()
  }

  private func isContained(in other: ScreenHost) -> Bool {
    var host: ScreenHost? = self
    while let current = host {
      if current === other { return true }
      host = current.expectedParent
    }
    return false
  }
}

/// The last step that was taken to add a screen to a parent or to remove it.
public enum ScreenContainmentPhase: Hashable, Sendable, CaseIterable {
  /// The screen has no parent.
  case detached
  /// The new parent was announced with `willMove(to: parent)`.
  case joining
  /// The screen was added to the parent's view with `parent.add(child)`.
  case added
  /// The screen is a child, after `didMove(to: parent)`.
  case contained
  /// The loss of the parent was announced with `willMove(to: nil)`.
  case leaving
  /// The screen was removed from the parent's view with `parent.remove(child)`.
  /// `removeFromParent()` follows.
  case removed
}

extension ScreenContainmentPhase {
  /// Returns whether `next` may directly follow this phase.
  ///
  /// A screen that is not added yet may become detached again. A child that is leaving and not
  /// removed yet may become contained again, for example after a cancelled swipe back.
  func canMove(to next: ScreenContainmentPhase) -> Bool {
    switch (self, next) {
    case (.detached, .joining), (.joining, .added), (.added, .contained): true
    case (.contained, .leaving), (.leaving, .removed), (.removed, .detached): true
    case (.joining, .detached), (.leaving, .contained): true
    default: false
    }
  }

  /// Checks that `next` may directly follow this phase.
  ///
  /// - Throws: ``ScreenHostError/illegalContainment(from:to:)``.
  func check(moveTo next: ScreenContainmentPhase) throws(ScreenHostError) {
    guard canMove(to: next) else { throw .illegalContainment(from: self, to: next) }
  }
}
