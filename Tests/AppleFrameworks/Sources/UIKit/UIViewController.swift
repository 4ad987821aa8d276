public import Foundation

/// An object that manages a view tree.
///
/// A controller owns its view, its children and the controller that it presents. It does not own its parent
/// or the controller that presents it.
@MainActor
open class UIViewController: UIResponder, UIContentContainer, UITraitEnvironment {
  private var viewStorage: UIView?

  weak var parentStorage: UIViewController?
  var childStorage: [UIViewController] = []
  var isJoiningParent = false
  var isLeavingParent = false

  var appearance = AppearanceState.disappeared
  var isAppearanceAnimated = false
  var isInAppearanceTransition = false
  var needsViewIsAppearing = false

  var presentedStorage: UIViewController?
  weak var presenterStorage: UIViewController?
  var presentationStage = PresentationStage.none
  var presentationEnd: PendingWork.Item?

  /// The coordinator of the transition that this controller leads.
  var activeCoordinator: TransitionCoordinator?

  var traitStorage = UITraitCollection.initial
  var traitRegistrations: [TraitRegistration] = []

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  public required init?(coder: NSCoder) { super.init() }

  open var title: String?

  // MARK: View

  /// The view. The first access loads it.
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return viewStorage
    }
    set {
      viewStorage?.viewController = nil
      viewStorage = newValue
      newValue?.viewController = self
    }
  }

  open var viewIfLoaded: UIView? { viewStorage }

  open var isViewLoaded: Bool { viewStorage != nil }

  open func loadViewIfNeeded() {
    guard viewStorage == nil else { return }
    loadView()
    precondition(viewStorage != nil, "\(type(of: self)).loadView() did not set the view.")
    viewDidLoad()
  }

  /// Creates the view. An override sets `view` and does not call `super`.
  open func loadView() {
    let view = UIView(frame: UIKitStandIn.screen)
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    self.view = view
  }

  open func viewDidLoad() {}

  // MARK: Appearance

  open func viewWillAppear(_ animated: Bool) {}
  open func viewIsAppearing(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  /// Whether the children get their appearance calls together with this controller, and when their views
  /// enter or leave the view of this controller.
  open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

  /// Tells a child that its view is about to appear or disappear.
  open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    if appearance == (isAppearing ? .appearing : .disappearing) { warnOfUnbalancedCalls() }
    beginAppearance(isAppearing, animated: animated)
  }

  /// Tells a child that its view has appeared or disappeared.
  open func endAppearanceTransition() {
    if !appearance.isChanging { warnOfUnbalancedCalls() }
    endAppearance()
  }

  /// Whether the view appears because this controller was added to its parent. Only true in the appearance
  /// callbacks.
  open var isMovingToParent: Bool {
    isJoiningParent && isInAppearanceTransition && (appearance == .appearing || appearance == .appeared)
  }

  /// Whether the view disappears because this controller is removed from its parent.
  open var isMovingFromParent: Bool {
    isLeavingParent && isInAppearanceTransition && (appearance == .disappearing || appearance == .disappeared)
  }

  /// Whether the presentation of this controller is in progress.
  open var isBeingPresented: Bool { presentationStage == .beingPresented }

  /// Whether the dismissal of this controller is in progress.
  open var isBeingDismissed: Bool { presentationStage == .beingDismissed }

  // MARK: Layout

  open func viewWillLayoutSubviews() {}
  open func viewDidLayoutSubviews() {}

  /// Called before the size of the view changes. Passes the change to the children whose views are loaded, if
  /// their sizes change.
  open func viewWillTransition(
    to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator
  ) {
    for child in children {
      guard let view = child.viewIfLoaded else { continue }
      let childSize = self.size(forChildContentContainer: child, withParentContainerSize: size)
      if view.bounds.size != childSize { child.viewWillTransition(to: childSize, with: coordinator) }
    }
  }

  /// The size that a child gets if this controller gets the size `parentSize`. By default, this is all of it.
  open func size(
    forChildContentContainer container: any UIContentContainer, withParentContainerSize parentSize: CGSize
  ) -> CGSize { parentSize }

  // MARK: Memory

  open func didReceiveMemoryWarning() {}

  // MARK: Containment

  open var parent: UIViewController? { parentStorage }

  open var children: [UIViewController] { childStorage }

  /// Adds a child, after removing it from its present parent. Calls the child's `willMove(toParent:)`, but
  /// not its `didMove(toParent:)`.
  open func addChild(_ childController: UIViewController) { adopt(childController) }

  /// Removes this controller from its parent. Calls `didMove(toParent:)`, but not `willMove(toParent:)`.
  open func removeFromParent() { leaveParent() }

  open func willMove(toParent parent: UIViewController?) { isLeavingParent = parent == nil }

  open func didMove(toParent parent: UIViewController?) { didFinishMoving(to: parent) }

  /// The nearest ancestor that is a navigation controller.
  open var navigationController: UINavigationController? {
    (parent as? UINavigationController) ?? parent?.navigationController
  }

  /// Called after a child was removed from this controller.
  func didRemove(_ child: UIViewController) {}

  /// The children that get the appearance calls of this controller.
  func forwardingTargets(appearing: Bool) -> [UIViewController] {
    shouldAutomaticallyForwardAppearanceMethods ? children.filter { contains($0) } : []
  }

  /// Called between the beginning of this controller's appearance and the beginning of its children's.
  func prepareChildrenForAppearance() {}

  /// Called after the children's appearance or disappearance has begun.
  func didBeginAppearanceOfChildren(appearing: Bool) {}

  /// Called after the children's appearance or disappearance has ended.
  func didEndAppearanceOfChildren(appearing: Bool) {}

  // MARK: Presentation

  /// How this controller is presented. The automatic style is a page sheet.
  open var modalPresentationStyle = UIModalPresentationStyle.automatic

  /// Whether the user cannot close this controller with a gesture.
  open var isModalInPresentation = false

  /// The object that manages the presentation of this controller. It is made when it is first read.
  open private(set) lazy var presentationController: UIPresentationController? = makePresentation()

  #if !os(tvOS)
    /// The object that manages the popover, if this controller is presented as one.
    open var popoverPresentationController: UIPopoverPresentationController? {
      presentationController as? UIPopoverPresentationController
    }
  #endif

  private func makePresentation() -> UIPresentationController {
    #if !os(tvOS)
      if isPopover { return UIPopoverPresentationController(presentedViewController: self, presenting: nil) }
    #endif
    return UIPresentationController(presentedViewController: self, presenting: nil)
  }

  /// The controller that this controller or one of its ancestors presents.
  open var presentedViewController: UIViewController? {
    presentedStorage ?? parent?.presentedViewController
  }

  /// The controller that presents this controller or one of its ancestors.
  open var presentingViewController: UIViewController? {
    presenterStorage ?? parent?.presentingViewController
  }

  /// Presents a controller over the outermost ancestor of this controller.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    beginPresentation(of: viewControllerToPresent, animated: flag, completion: completion)
  }

  /// Dismisses the presented controller and all controllers that are presented over it. If nothing is
  /// presented, asks the presenting controller to dismiss this controller.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    beginDismissal(animated: flag, completion: completion)
  }

  /// The coordinator of the transition that this controller or one of its ancestors is part of.
  open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
    activeCoordinator ?? parent?.transitionCoordinator
  }

  // MARK: Traits

  open var traitCollection: UITraitCollection { traitStorage }
}
