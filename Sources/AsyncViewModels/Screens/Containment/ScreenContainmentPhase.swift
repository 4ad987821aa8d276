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
