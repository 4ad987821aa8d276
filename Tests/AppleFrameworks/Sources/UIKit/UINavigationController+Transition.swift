extension UINavigationController {
  /// Whether a change of the top controller is a transition: this controller is on display.
  private var showsTransitions: Bool { appearance == .appeared && viewIfLoaded?.window != nil }

  /// Changes the stack. Finishes a transition that is in progress first.
  ///
  /// A change by a callback of another change follows when that change has begun or, if it is ending, has
  /// ended.
  func change(animated: Bool, _ edit: @escaping ([UIViewController]) -> [UIViewController]) {
    if isChangingStack || runningTransition?.isBeginning == true {
      postponedChanges.append { [weak self] in self?.change(animated: animated, edit) }
      return
    }
    finishRunningTransition()
    let oldStack = stack
    let newStack = edit(oldStack)
    let leaving = oldStack.filter { !newStack.containsIdentical($0) }
    let joining = newStack.filter { !oldStack.containsIdentical($0) }
    announce(leaving: leaving, joining: joining)
    stack = newStack

    if oldStack.last === newStack.last {
      settle(leaving: leaving, joining: joining)
    } else if showsTransitions {
      begin(
        NavigationTransition(
          oldStack: oldStack, newStack: newStack, leaving: leaving, joining: joining, isAnimated: animated,
          isInteractive: false))
    } else {
      replaceTop(oldStack.last)
      settle(leaving: leaving, joining: joining)
    }
    makePostponedChanges()
  }

  private func makePostponedChanges() {
    let changes = postponedChanges
    postponedChanges = []
    for change in changes { change() }
  }

  private func announce(leaving: [UIViewController], joining: [UIViewController]) {
    isChangingStack = true
    defer { isChangingStack = false }
    for controller in leaving.reversed() {
      controller.isLeavingParent = true
      controller.willMove(toParent: nil)
    }
    for controller in joining { adopt(controller) }
  }

  /// Ends the moves of the controllers that left or joined the stack.
  private func settle(leaving: [UIViewController], joining: [UIViewController]) {
    for controller in leaving.reversed() where controller.parent === self {
      if !stack.containsIdentical(controller) { controller.leaveParent() }
    }
    for controller in joining where controller.parent === self { controller.didMove(toParent: self) }
    childStorage = stack + childStorage.filter { !stack.containsIdentical($0) }
  }

  /// Replaces the top view while this controller is not on display, or is appearing.
  private func replaceTop(_ oldTop: UIViewController?) {
    guard isViewLoaded else { return }
    isChangingStack = true
    defer { isChangingStack = false }
    if appearance == .appearing {
      oldTop?.beginAppearance(false, animated: isAppearanceAnimated)
      if showsTop { beginAppearanceOfTop() }
    }
    remove(oldTop)
    oldTop?.endAppearance()
    if !needsViewIsAppearing { stack.last?.callViewIsAppearingIfNeeded() }
    // A callback may have ended the appearance of this controller.
    if let top = stack.last, top.appearance == .appearing, appearance != .appearing {
      top.beginAppearance(appearance == .appeared, animated: isAppearanceAnimated)
      top.endAppearance()
    }
    view.setNeedsLayout()
  }

  /// Begins a transition, and ends it if it is not animated.
  private func begin(_ transition: NavigationTransition) {
    askForAnimation(of: transition)
    runningTransition = transition
    activeCoordinator = transition.coordinator
    let isAnimated = transition.coordinator.isAnimated
    transition.to?.loadViewIfNeeded()
    transition.from?.beginAppearance(false, animated: isAnimated)
    transition.to?.beginAppearance(true, animated: isAnimated)
    if let to = transition.to { delegate?.navigationController(self, willShow: to, animated: isAnimated) }
    installTop(behind: transition.isPop ? transition.from : nil)
    transition.coordinator.beginAnimations()
    transition.to?.callViewIsAppearingIfNeeded()
    view.layoutIfNeeded()
    transition.isBeginning = false
    if !transition.coordinator.isInteractive {
      transition.end = PendingWork.end(animated: isAnimated) { self.finish(transition) }
    }
  }

  /// Ends a transition with the new stack.
  private func finish(_ transition: NavigationTransition) {
    guard stopRunning(transition) else { return }
    isChangingStack = true
    remove(transition.from)
    transition.from?.endAppearance()
    transition.to?.endAppearance()
    settle(leaving: transition.leaving, joining: transition.joining)
    if let to = transition.to, to === stack.last, to.appearance == .appeared {
      delegate?.navigationController(self, didShow: to, animated: transition.coordinator.isAnimated)
    }
    transition.coordinator.runCompletions()
    isChangingStack = false
    makePostponedChanges()
  }

  /// Returns false if the transition has ended already.
  private func stopRunning(_ transition: NavigationTransition) -> Bool {
    guard runningTransition === transition else { return false }
    runningTransition = nil
    transition.end = nil
    finish(transition.coordinator)
    return true
  }

  /// Finishes the transition that is in progress, and those that its callbacks begin.
  func finishRunningTransition() {
    while let transition = runningTransition, !transition.isBeginning {
      if let end = transition.end {
        end.run()
      } else {
        finishInteractivePop(transition)
      }
    }
  }

  // MARK: Interactive pop

  /// Begins to pop the top controller with a gesture. Returns `nil` if that is not possible.
  func beginInteractivePop() -> NavigationTransition? {
    guard showsTransitions, runningTransition == nil, stack.count > 1, let top = stack.last else {
      return nil
    }
    let oldStack = stack
    announce(leaving: [top], joining: [])
    stack.removeLast()
    let transition = NavigationTransition(
      oldStack: oldStack, newStack: stack, leaving: [top], joining: [], isAnimated: true, isInteractive: true)
    begin(transition)
    makePostponedChanges()
    return transition
  }

  func finishInteractivePop(_ transition: NavigationTransition) {
    guard runningTransition === transition else { return }
    transition.coordinator.endInteraction(isCancelled: false)
    finish(transition)
  }

  /// Restores the old stack. The delegate learns nothing, and neither do `willMove` and `didMove`.
  func cancelInteractivePop(_ transition: NavigationTransition) {
    guard runningTransition === transition else { return }
    transition.coordinator.endInteraction(isCancelled: true)
    guard stopRunning(transition) else { return }
    isChangingStack = true
    stack = transition.oldStack
    transition.to?.beginAppearance(false, animated: true)
    remove(transition.to)
    transition.to?.endAppearance()
    transition.from?.isLeavingParent = false
    transition.from?.beginAppearance(true, animated: true)
    transition.from?.callViewIsAppearingIfNeeded()
    transition.from?.endAppearance()
    transition.coordinator.runCompletions()
    isChangingStack = false
    makePostponedChanges()
  }

  // MARK: Views

  /// Begins to show the top controller together with this controller.
  func beginAppearanceOfTop() {
    guard let top = stack.last else { return }
    top.beginAppearance(true, animated: isAppearanceAnimated)
    delegate?.navigationController(self, willShow: top, animated: isAppearanceAnimated)
    installTop()
  }

  /// Adds the view of the top controller, in the size of this controller's view.
  func installTop(behind other: UIViewController? = nil) {
    guard let topView = stack.last?.view, topView.superview !== view else { return }
    topView.frame = view.bounds
    let index = other?.viewIfLoaded.flatMap { otherView in view.subviews.firstIndex { $0 === otherView } }
    UIView.move(topView, to: view, at: index, calls: .byCaller)
  }

  private func remove(_ controller: UIViewController?) {
    guard let controllerView = controller?.viewIfLoaded, controllerView.superview === view else { return }
    UIView.move(controllerView, to: nil, at: nil, calls: .byCaller)
  }
}
