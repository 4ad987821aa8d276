/// Whether the presentation or dismissal of a controller is in progress.
enum PresentationStage {
  case none, beingPresented, beingDismissed
}

extension UIViewController {
  /// Whether this controller is presented as a popover. On a large screen, an action sheet is one.
  var isPopover: Bool {
    if let alert = self as? UIAlertController { return alert.preferredStyle == .actionSheet }
    #if os(tvOS)
      return false
    #else
      return modalPresentationStyle == .popover
    #endif
  }

  func beginPresentation(of controller: UIViewController, animated: Bool, completion: (() -> Void)?) {
    let presenter = outermostAncestor
    if let current = presenter.presentedStorage {
      StandInConsole.warn(
        "Attempt to present \(type(of: controller)) on \(type(of: presenter)) (from \(type(of: self))), "
          + "which is already presenting \(type(of: current)).")
      return
    }
    guard presenter.presentationStage == .none else {
      StandInConsole.warn(
        "Attempt to present \(type(of: controller)) on \(type(of: presenter)) (from \(type(of: self))), "
          + "which is being presented or dismissed.")
      return
    }
    guard let window = presenter.viewIfLoaded?.window, !window.isHidden else {
      StandInConsole.warn(
        "Attempt to present \(type(of: controller)) on \(type(of: presenter)) (from \(type(of: self))), "
          + "whose view is not in the window hierarchy.")
      return
    }
    precondition(controller.parent == nil, "A controller with a parent cannot be presented.")
    precondition(controller.presenterStorage == nil, "The controller is already being presented.")
    #if !os(tvOS)
      precondition(
        !controller.isPopover || controller.popoverPresentationController?.hasPlace == true,
        "A popover needs a source view or a bar button item.")
    #endif

    let coordinator = TransitionCoordinator(isAnimated: animated, from: presenter, to: controller)
    let coversPresenter = controller.modalPresentationStyle.coversPresenter
    presenter.presentedStorage = controller
    controller.presenterStorage = presenter
    controller.presentationStage = .beingPresented
    presenter.activeCoordinator = coordinator
    controller.activeCoordinator = coordinator
    controller.loadViewIfNeeded()
    if coversPresenter { presenter.beginAppearance(false, animated: animated) }
    // A callback may have dismissed the controller already.
    if controller.presentationStage == .beingPresented {
      controller.beginAppearance(true, animated: animated)
    }
    if controller.presentationStage != .none { window.install(controller) }
    coordinator.beginAnimations()
    controller.callViewIsAppearingIfNeeded()
    window.layoutIfNeeded()

    let end = PendingWork.end(animated: animated) {
      if controller.presentationStage == .beingPresented {
        if coversPresenter { UIView.move(presenter.view, to: nil, at: nil, calls: .byCaller) }
        controller.endAppearance()
        if coversPresenter { presenter.endAppearance() }
      }
      // A callback may have begun to dismiss the controller.
      if controller.presentationStage == .beingPresented {
        controller.presentationStage = .none
        controller.presentationEnd = nil
      }
      presenter.finish(coordinator)
      controller.finish(coordinator)
      coordinator.runCompletions()
      completion?()
    }
    if controller.presentationStage == .beingPresented { controller.presentationEnd = end }
  }

  func beginDismissal(animated: Bool, completion: (() -> Void)?) {
    if let presenter = presentedViewController?.presenterStorage {
      presenter.dismissPresented(animated: animated, completion: completion)
    } else if let presenter = presentingViewController {
      presenter.dismissPresented(animated: animated, completion: completion)
    } else {
      completion?()
    }
  }

  /// The controllers that are presented over this controller, the lowest first.
  var presentedStack: [UIViewController] {
    guard let presentedStorage else { return [] }
    return [presentedStorage] + presentedStorage.presentedStack
  }

  /// Finishes the presentations and dismissals over this controller that are in progress.
  func finishPresentations() {
    for controller in presentedStack { controller.presentationEnd?.run() }
  }

  /// Dismisses all controllers that are presented over this controller. Only the top one is animated.
  func dismissPresented(animated: Bool, completion: (() -> Void)?) {
    finishPresentations()
    let stack = Array(presentedStack.reversed())
    guard let top = stack.first, let bottom = stack.last else {
      completion?()
      return
    }
    let coordinator = TransitionCoordinator(isAnimated: animated, from: top, to: self)
    let coversPresenter = bottom.modalPresentationStyle.coversPresenter
    for controller in stack { controller.presentationStage = .beingDismissed }
    activeCoordinator = coordinator
    top.activeCoordinator = coordinator
    for controller in stack { controller.beginAppearance(false, animated: animated && controller === top) }
    if coversPresenter {
      beginAppearance(true, animated: animated)
      // A controller that covers the bottom one has taken its view out of the window.
      let lowest = stack.last { $0.viewIfLoaded?.window != nil }
      if let lowest, let window = lowest.viewIfLoaded?.window { window.install(self, behind: lowest) }
    }
    coordinator.beginAnimations()
    callViewIsAppearingIfNeeded()
    viewIfLoaded?.window?.layoutIfNeeded()

    top.presentationEnd = PendingWork.end(animated: animated) {
      for controller in stack {
        UIView.move(controller.view, to: nil, at: nil, calls: .byCaller)
        controller.presentationController?.endContainer()
      }
      if coversPresenter { self.endAppearance() }
      for controller in stack {
        controller.endAppearance()
        controller.presenterStorage?.presentedStorage = nil
        controller.presenterStorage = nil
        controller.presentationStage = .none
      }
      top.presentationEnd = nil
      self.finish(coordinator)
      top.finish(coordinator)
      coordinator.runCompletions()
      completion?()
    }
  }

  /// Ends the role of this controller in the transition.
  func finish(_ coordinator: TransitionCoordinator) {
    if activeCoordinator === coordinator { activeCoordinator = nil }
  }
}
