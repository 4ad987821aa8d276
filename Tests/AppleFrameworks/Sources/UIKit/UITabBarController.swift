public import Foundation

/// A container that shows one of several controllers. Only the views of controllers that were selected are
/// loaded.
@MainActor
open class UITabBarController: UIViewController {
  private var tabs: [UIViewController] = []
  private var index = 0

  open weak var delegate: (any UITabBarControllerDelegate)?

  /// The controllers, in the order of the tabs. The first one is selected if the selected one is not among
  /// the new controllers.
  open var viewControllers: [UIViewController]? {
    get { tabs }
    set { setViewControllers(newValue, animated: false) }
  }

  open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
    let (old, new) = (selectedViewController, viewControllers ?? [])
    let leaving = tabs.filter { !new.containsIdentical($0) }
    let joining = new.filter { !tabs.containsIdentical($0) }
    for controller in leaving { controller.willMove(toParent: nil) }
    for controller in joining { adopt(controller) }
    (tabs, index) = (new, new.firstIndex { $0 === old } ?? 0)
    show(selectedViewController, insteadOf: old)
    for controller in leaving { controller.leaveParent() }
    for controller in joining { controller.didMove(toParent: self) }
  }

  /// The index of the selected controller. Setting it does not call the delegate. An index without a
  /// controller changes nothing.
  open var selectedIndex: Int {
    get { index }
    set {
      guard tabs.indices.contains(newValue) else { return }
      let old = selectedViewController
      index = newValue
      show(selectedViewController, insteadOf: old)
    }
  }

  /// The selected controller. Setting it does not call the delegate.
  open var selectedViewController: UIViewController? {
    get { tabs.indices.contains(index) ? tabs[index] : nil }
    set { if let index = tabs.firstIndex(where: { $0 === newValue }) { selectedIndex = index } }
  }

  /// Shows the list of further tabs, which has no index.
  func showMore() {
    let old = selectedViewController
    index = .max
    show(nil, insteadOf: old)
  }

  // MARK: Appearance

  override func prepareChildrenForAppearance() { install(selectedViewController) }

  override func didRemove(_ child: UIViewController) {
    tabs.removeAll { $0 === child }
    index = min(index, max(0, tabs.count - 1))
  }

  private func show(_ new: UIViewController?, insteadOf old: UIViewController?) {
    guard isViewLoaded, old !== new else { return }
    if appearance == .appearing || appearance == .appeared {
      old?.beginAppearance(false, animated: false)
      new?.beginAppearance(true, animated: false)
    }
    install(new)
    if let oldView = old?.viewIfLoaded, oldView.superview === view {
      UIView.move(oldView, to: nil, at: nil, calls: .byCaller)
    }
    view.layoutIfNeeded()
    if !needsViewIsAppearing { new?.callViewIsAppearingIfNeeded() }
    PendingWork.end(animated: false) { [weak self] in
      old?.endAppearance()
      // The end of this controller's appearance also ends that of the child.
      if self?.appearance != .appearing { new?.endAppearance() }
    }
  }

  private func install(_ child: UIViewController?) {
    guard let childView = child?.view, childView.superview !== view else { return }
    childView.frame = view.bounds
    childView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    UIView.move(childView, to: view, at: nil, calls: .byCaller)
  }
}

/// An object that learns which tab the user selects.
///
/// In UIKit, all functions are optional requirements. Swift has these only on Apple platforms, so here they
/// have default implementations.
@MainActor
public protocol UITabBarControllerDelegate: NSObjectProtocol {
  func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool
  func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)

  /// Returns the animation between two tabs, or `nil` for none.
  func tabBarController(
    _ tabBarController: UITabBarController,
    animationControllerForTransitionFrom fromVC: UIViewController, to toVC: UIViewController
  ) -> (any UIViewControllerAnimatedTransitioning)?

  /// Returns what controls the animation, or `nil` if it is not interactive.
  func tabBarController(
    _ tabBarController: UITabBarController,
    interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
  ) -> (any UIViewControllerInteractiveTransitioning)?
}

extension UITabBarControllerDelegate {
  /// Returns true.
  public func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool { true }

  /// Does nothing.
  public func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController
  ) {}

  /// Returns `nil`.
  public func tabBarController(
    _ tabBarController: UITabBarController,
    animationControllerForTransitionFrom fromVC: UIViewController, to toVC: UIViewController
  ) -> (any UIViewControllerAnimatedTransitioning)? { nil }

  /// Returns `nil`.
  public func tabBarController(
    _ tabBarController: UITabBarController,
    interactionControllerFor animationController: any UIViewControllerAnimatedTransitioning
  ) -> (any UIViewControllerInteractiveTransitioning)? { nil }
}

extension UIKitStandIn {
  /// Taps "More". UIKit has this tab on a small screen with more than five tabs.
  public static func tapMore(of controller: UITabBarController) {
    controller.showMore()
    controller.delegate?.tabBarController(controller, didSelect: UINavigationController())
  }

  /// Taps a tab. Does nothing more if the delegate refuses it. A tap on the selected tab also calls the
  /// delegate.
  public static func tapTab(_ index: Int, of controller: UITabBarController) {
    guard let child = controller.viewControllers?[index],
      controller.delegate?.tabBarController(controller, shouldSelect: child) ?? true
    else { return }
    if let delegate = controller.delegate, let old = controller.selectedViewController, old !== child,
      let animation = delegate.tabBarController(
        controller, animationControllerForTransitionFrom: old, to: child)
    {
      _ = delegate.tabBarController(controller, interactionControllerFor: animation)
    }
    controller.selectedIndex = index
    controller.delegate?.tabBarController(controller, didSelect: child)
  }
}
