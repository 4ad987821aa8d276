#if canImport(UIKit) && !os(watchOS)
  import UIKit

  // UIKit drops a presentation that begins while another presentation or a dismissal runs, without
  // an error.

  extension UIViewController {
    /// The controller in front, which can present another one.
    var lastPresented: UIViewController {
      var last = self
      while let next = last.presentedViewController, !next.isBeingDismissed { last = next }
      return last
    }

    /// Whether this controller, or a controller that is presented above it, is in a transition.
    var isInTransition: Bool {
      withPresented.contains { $0.transitionCoordinator != nil || $0.isBeingPresented || $0.isBeingDismissed }
    }

    /// Runs `action` in a later turn of the main actor, when a transition of ``isInTransition`` has
    /// ended.
    func whenTransitionEnds(_ action: @escaping @MainActor () -> Void) {
      for controller in withPresented {
        if let coordinator = controller.transitionCoordinator { return coordinator.whenEnded(action) }
      }
      runSoon(action)
    }

    /// Runs `action` when no transition runs, at once or in a later turn, with the controller that
    /// can present.
    ///
    /// This is usually the controller in front of this one. If this controller is being dismissed,
    /// it is the controller that remains. If that controller is released, `action` is released
    /// without a call.
    func whenReadyToPresent(_ action: @escaping @MainActor (UIViewController) -> Void) {
      let base = remaining
      guard base.isInTransition else { return action(base.lastPresented) }
      base.whenTransitionEnds { [weak base] in base?.whenReadyToPresent(action) }
    }

    /// This controller, or the controller that remains when this one has been dismissed.
    private var remaining: UIViewController {
      var base = self
      while sequence(first: base, next: \.parent).contains(where: \.isBeingDismissed),
        let presenter = base.presentingViewController
      {
        base = presenter
      }
      return base
    }

    /// This controller and those that are presented above it.
    private var withPresented: some Sequence<UIViewController> {
      sequence(first: self, next: \.presentedViewController)
    }
  }

  extension UIViewControllerTransitionCoordinator {
    /// Runs `action` in a later turn of the main actor, when the transition has ended. If the
    /// coordinator takes no completion, `action` runs soon, and must look for a transition itself.
    func whenEnded(_ action: @escaping @MainActor () -> Void) {
      // In a task, because the coordinator is still there in its completion.
      let isTaken = animate(alongsideTransition: nil) { _ in Task { action() } }
      if !isTaken { runSoon(action) }
    }
  }

  /// Runs `action` about a frame later. UIKit does not say when the transition ends.
  @MainActor
  private func runSoon(_ action: @escaping @MainActor () -> Void) {
    Task {
      try? await Task.sleep(for: .milliseconds(10))
      action()
    }
  }
#endif
