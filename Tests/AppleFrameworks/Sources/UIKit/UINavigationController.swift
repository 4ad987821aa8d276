public import Foundation

/// A container that shows the top controller of a stack. Only the view of the top controller is loaded.
@MainActor
open class UINavigationController: UIViewController {
  var stack: [UIViewController] = []
  var runningTransition: NavigationTransition?
  var postponedChanges: [() -> Void] = []
  var isChangingStack = false

  /// Whether the top controller has begun to appear, together with this controller.
  var showsTop = false

  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    pushViewController(rootViewController, animated: false)
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  open weak var delegate: (any UINavigationControllerDelegate)?

  // MARK: Stack

  /// The stack, the root first. Setting it is the same as ``setViewControllers(_:animated:)`` without
  /// animation.
  open var viewControllers: [UIViewController] {
    get { stack }
    set { setViewControllers(newValue, animated: false) }
  }

  open var topViewController: UIViewController? { stack.last }

  /// The controller that is presented over this one, or else the top controller.
  open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }

  /// Replaces the stack with at most one transition. If the new top is already the top, there is none.
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    change(animated: animated) { _ in viewControllers }
  }

  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    finishRunningTransition()
    precondition(!stack.containsIdentical(viewController), "The controller is already on the stack.")
    precondition(
      !(viewController is UINavigationController), "A navigation controller cannot be pushed on another one.")
    change(animated: animated) { $0 + [viewController] }
  }

  /// Pops the top controller, unless it is the root. Returns the popped controller.
  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    finishRunningTransition()
    guard stack.count > 1, let top = stack.last else { return nil }
    change(animated: animated) { stack in stack.filter { $0 !== top } }
    return top
  }

  /// Pops all controllers above `viewController`. Returns the popped controllers, or `nil` if there are none.
  @discardableResult
  open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
    finishRunningTransition()
    guard let index = stack.firstIndex(where: { $0 === viewController }) else {
      preconditionFailure("The controller to pop to is not on the stack.")
    }
    let popped = Array(stack[(index + 1)...])
    if popped.isEmpty { return nil }
    change(animated: animated) { stack in stack.filter { !popped.containsIdentical($0) } }
    return popped
  }

  /// Pops all controllers except the root. Returns the popped controllers, or `nil` if there are none.
  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    finishRunningTransition()
    return stack.first.flatMap { popToViewController($0, animated: animated) }
  }

  // MARK: Appearance

  open override func loadView() {
    let view = NavigationContainerView(frame: UIKitStandIn.screen)
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.navigationController = self
    self.view = view
  }

  override func forwardingTargets(appearing: Bool) -> [UIViewController] {
    let targets = super.forwardingTargets(appearing: appearing)
    // The other children of the stack are in the hierarchy only because a transition is in progress.
    return appearing ? targets.filter { $0 === stack.last || !stackOrTransitionContains($0) } : targets
  }

  private func stackOrTransitionContains(_ controller: UIViewController) -> Bool {
    stack.containsIdentical(controller) || runningTransition?.from === controller
  }

  override func prepareChildrenForAppearance() { installTop() }

  override func didBeginAppearanceOfChildren(appearing: Bool) {
    showsTop = appearing
    if appearing { beginAppearanceOfTop() }
  }

  override func didEndAppearanceOfChildren(appearing: Bool) {
    if appearing {
      if let top = stack.last, top.appearance == .appeared {
        delegate?.navigationController(self, didShow: top, animated: isAppearanceAnimated)
      }
    } else {
      finishRunningTransition()
    }
  }

  override func didRemove(_ child: UIViewController) {
    stack.removeAll { $0 === child }
    viewIfLoaded?.setNeedsLayout()
  }
}

extension Array where Element == UIViewController {
  func containsIdentical(_ controller: UIViewController) -> Bool { contains { $0 === controller } }
}
