extension UIViewController {
  /// Makes `child` a child of this controller, and announces this to the child.
  func adopt(_ child: UIViewController) {
    precondition(child !== self, "A controller cannot be its own child.")
    if let superview = child.viewIfLoaded?.superview, let nearest = superview.nearestController {
      precondition(
        nearest === self,
        "Inconsistent hierarchy: \(type(of: child)) was added to \(type(of: self)), but its view is in the "
          + "view of \(type(of: nearest)).")
    }
    child.leaveParent()
    child.isJoiningParent = true
    child.willMove(toParent: self)
    childStorage.append(child)
    child.parentStorage = self
  }

  func leaveParent() {
    guard let parent else { return }
    parent.childStorage.removeAll { $0 === self }
    parentStorage = nil
    isJoiningParent = false
    parent.didRemove(self)
    didMove(toParent: nil)
    isLeavingParent = false
  }

  func didFinishMoving(to parent: UIViewController?) {
    if parent != nil { isLeavingParent = false }
    // During an appearance, `isMovingToParent` stays true until the end of `viewDidAppear`.
    if !isInAppearanceTransition { isJoiningParent = false }
  }

  var outermostAncestor: UIViewController { parent?.outermostAncestor ?? self }

  /// This controller, its descendants and the controllers that they present. Each parent comes before its
  /// children.
  var tree: [UIViewController] {
    [self] + children.flatMap { $0.tree } + (presentedStorage?.tree ?? [])
  }
}
