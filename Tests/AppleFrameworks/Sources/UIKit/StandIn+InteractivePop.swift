extension UIKitStandIn {
  /// A pop that a gesture controls: the user swipes back.
  @MainActor
  public final class InteractivePop {
    private weak var navigationController: UINavigationController?
    private weak var transition: NavigationTransition?

    fileprivate init(_ navigationController: UINavigationController, _ transition: NavigationTransition) {
      self.navigationController = navigationController
      self.transition = transition
    }

    /// Ends the gesture and completes the pop. Does nothing if the pop has ended already.
    public func finish() {
      if let transition { navigationController?.finishInteractivePop(transition) }
    }

    /// Ends the gesture and restores the stack. Does nothing if the pop has ended already.
    public func cancel() {
      if let transition { navigationController?.cancelInteractivePop(transition) }
    }
  }

  /// Begins to pop the top controller with a gesture.
  ///
  /// - Returns: The gesture, or `nil` if it cannot begin: the navigation controller is not on display, has
  ///   only one controller, or is in a transition.
  public static func beginInteractivePop(of navigationController: UINavigationController) -> InteractivePop? {
    navigationController.beginInteractivePop().map { InteractivePop(navigationController, $0) }
  }
}
