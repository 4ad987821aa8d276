/// A change of the top controller of a navigation controller that is on display.
@MainActor
final class NavigationTransition {
  let oldStack: [UIViewController]
  let leaving: [UIViewController]
  let joining: [UIViewController]
  let from: UIViewController?
  let to: UIViewController?
  let isPop: Bool
  let coordinator: TransitionCoordinator

  /// Whether the transition is still calling its `will` callbacks.
  var isBeginning = true

  /// Ends an animated transition. An interactive transition has none: the gesture ends it.
  var end: PendingWork.Item?

  init(
    oldStack: [UIViewController], newStack: [UIViewController], leaving: [UIViewController],
    joining: [UIViewController], isAnimated: Bool, isInteractive: Bool
  ) {
    self.oldStack = oldStack
    self.leaving = leaving
    self.joining = joining
    from = oldStack.last
    to = newStack.last
    isPop = to.map { oldStack.containsIdentical($0) } ?? true
    coordinator = TransitionCoordinator(
      isAnimated: isAnimated, isInteractive: isInteractive, from: from, to: to)
  }
}
