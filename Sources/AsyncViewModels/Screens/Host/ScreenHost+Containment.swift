/// Three steps to get a child and three to lose it, each of them checked, none of them implied by another:
///
/// ```swift
/// try child.willMove(to: parent)      try child.willMove(to: nil)
/// try parent.add(child)               try parent.remove(child)
/// try child.didMove(to: parent)       try child.removeFromParent()
/// ```
///
/// ``embed(_:animated:)-(ScreenHost,_)`` takes all of them. A step out of order throws
/// ``ScreenHostError/illegalContainment(from:to:)``, and changes nothing.
extension ScreenHost {
  /// First step: tells this screen which parent it gets, or, with `nil`, that it is going to lose the one that it has.
  ///
  /// - Throws: ``ScreenHostError/containsItself``, ``ScreenHostError/ended``, ``ScreenHostError/onDisplay(_:)``,
  ///   ``ScreenHostError/illegalContainment(from:to:)``.
  public func willMove(to parent: ScreenHost?) throws(ScreenHostError) {
    if let parent {
      try checkCanMove(to: parent)
      setContainment(.joining, parent)
    } else if containment == .joining {
      setContainment(.detached, nil)
    } else {
      try containment.check(moveTo: .leaving)
      setContainment(.leaving, expectedParent)
    }
    screen.willMove(to: parent)
  }

  /// Second step: adds a child to this screen's view, and shows it as far as this screen is shown.
  ///
  /// - Parameter shown: `false` contains it out of sight, as a tab that is not selected. See ``reveal(_:animated:)``.
  /// - Throws: ``ScreenHostError/wrongParent``, ``ScreenHostError/illegalContainment(from:to:)``.
  public func add(_ child: ScreenHost, shown: Bool = true, animated: Bool = false) throws(ScreenHostError) {
    try child.containment.check(moveTo: .added)
    guard child.expectedParent === self else { throw .wrongParent }
    child.setContainment(.added, self)
    children.append(child)
    furnish(child)
    if shown { child.enter(animated: animated) }
  }

  /// Third step: tells this screen that it has arrived, or that it stays after all.
  ///
  /// - Throws: ``ScreenHostError/wrongParent``, ``ScreenHostError/illegalContainment(from:to:)``.
  public func didMove(to parent: ScreenHost) throws(ScreenHostError) {
    try containment.check(moveTo: .contained)
    guard expectedParent === parent else { throw .wrongParent }
    setContainment(.contained, parent)
    screen.didMove(to: parent)
  }

  /// Second step of removing: hides a child, and takes it out of this screen's view.
  ///
  /// - Throws: ``ScreenHostError/wrongParent``, ``ScreenHostError/illegalContainment(from:to:)``.
  public func remove(_ child: ScreenHost, animated: Bool = false) throws(ScreenHostError) {
    try child.containment.check(moveTo: .removed)
    guard child.parent === self else { throw .wrongParent }
    child.setContainment(.removed, self)
    child.leave(animated: animated)
  }

  /// Third step of removing: from here on the screen is a root again. It stays loaded, and can be added elsewhere; it ends when
  /// nobody keeps it.
  ///
  /// - Throws: ``ScreenHostError/illegalContainment(from:to:)``.
  public func removeFromParent() throws(ScreenHostError) {
    try containment.check(moveTo: .detached)
    // Before it was added, the way back is willMove(to: nil).
    guard containment == .removed else { throw .illegalContainment(from: containment, to: .detached) }
    parent?.children.removeAll { $0 === self }
    setContainment(.detached, nil)
    screen.didMove(to: nil)
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

/// How far a screen has got in becoming a child, or in ceasing to be one: three steps each way.
public enum ScreenContainmentPhase: Hashable, Sendable, CaseIterable {
  /// It has no parent.
  case detached
  /// It was told which parent it gets: `willMove(to: parent)`.
  case joining
  /// It is in the parent's view: `parent.add(child)`.
  case added
  /// It was told that it has arrived: `didMove(to: parent)`.
  case contained
  /// It was told that it is going to lose its parent: `willMove(to: nil)`.
  case leaving
  /// It is out of the parent's view: `parent.remove(child)`. What is left is `removeFromParent()`.
  case removed
}

extension ScreenContainmentPhase {
  /// Whether `next` may follow directly. Before it is added a child may go back to where it came from; before it is removed it
  /// may stay after all, as it does when a swipe back is called off.
  public func canMove(to next: ScreenContainmentPhase) -> Bool {
    switch (self, next) {
    case (.detached, .joining), (.joining, .added), (.added, .contained): true
    case (.contained, .leaving), (.leaving, .removed), (.removed, .detached): true
    case (.joining, .detached), (.leaving, .contained): true
    default: false
    }
  }

  /// - Throws: ``ScreenHostError/illegalContainment(from:to:)``.
  func check(moveTo next: ScreenContainmentPhase) throws(ScreenHostError) {
    guard canMove(to: next) else { throw .illegalContainment(from: self, to: next) }
  }
}
