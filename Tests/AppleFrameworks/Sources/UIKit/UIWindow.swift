public import Foundation

/// The root of a view tree. A window is hidden until ``makeKeyAndVisible()``.
@MainActor
open class UIWindow: UIView {
  private static weak var keyWindow: UIWindow?

  var traits = UITraitCollection.initial
  private var rootStorage: UIViewController?

  public override init(frame: CGRect) {
    super.init(frame: frame)
    super.isHidden = true
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    super.isHidden = true
  }

  open override var window: UIWindow? { self }

  // visionOS has no displays.
  #if !os(visionOS)
    /// The display that shows this window.
    open var screen: UIScreen { UIScreen.display }
  #endif

  /// The controller that fills this window. The window owns it. If the window is visible, the old controller
  /// disappears and the new one appears.
  open var rootViewController: UIViewController? {
    get { rootStorage }
    set {
      guard newValue !== rootStorage else { return }
      let oldRoot = rootStorage
      rootStorage = newValue
      if let oldRoot { remove(oldRoot) }
      if !isHidden, let newValue { show(newValue) }
    }
  }

  open var isKeyWindow: Bool { UIWindow.keyWindow === self }

  open func makeKey() { UIWindow.keyWindow = self }

  open func makeKeyAndVisible() {
    makeKey()
    isHidden = false
  }

  open override var isHidden: Bool {
    get { super.isHidden }
    set {
      guard newValue != super.isHidden else { return }
      super.isHidden = newValue
      rootStorage?.finishPresentations()
      if newValue {
        for controller in shownControllers { controller.hide() }
      } else {
        VisibleWindows.add(self)
        for controller in shownControllers where canShow(controller) { show(controller) }
      }
    }
  }

  /// The root and the controllers that are presented over it, without those that a full-screen presentation
  /// covers.
  private var shownControllers: [UIViewController] {
    guard let rootStorage else { return [] }
    let stack = [rootStorage] + rootStorage.presentedStack
    let firstShown = stack.lastIndex { $0 !== rootStorage && $0.modalPresentationStyle.coversPresenter } ?? 0
    return Array(stack[firstShown...])
  }

  /// Whether a controller is still the root or presented. A callback may have changed that.
  private func canShow(_ controller: UIViewController) -> Bool {
    controller === rootStorage || (controller.presenterStorage != nil && !controller.isBeingDismissed)
  }

  private func show(_ controller: UIViewController) {
    controller.loadViewIfNeeded()
    controller.beginAppearance(true, animated: false)
    if controller.view.window !== self { install(controller) }
    PendingWork.end(animated: false) {
      guard controller.appearance == .appearing else { return }
      controller.callViewIsAppearingIfNeeded()
      self.layoutIfNeeded()
      controller.endAppearance()
    }
  }

  private func remove(_ root: UIViewController) {
    root.dismissPresented(animated: false, completion: nil)
    root.finishPresentations()
    root.beginAppearance(false, animated: false)
    if let view = root.viewIfLoaded { UIView.move(view, to: nil, at: nil, calls: .byCaller) }
    root.endAppearance()
  }

  /// Adds the view of a controller, in the size of this window. The view of a presented controller is in the container of the
  /// presentation.
  func install(_ controller: UIViewController, behind other: UIViewController? = nil) {
    guard let view = controller.view else { return }
    view.frame = bounds
    if let presentation = controller.presentationController, controller.presenterStorage != nil {
      UIView.move(view, to: container(of: presentation), at: nil, calls: .byCaller)
      return
    }
    let index = other?.presentationController?.containerView.flatMap { container in
      subviews.firstIndex { $0 === container }
    }
    UIView.move(view, to: self, at: index, calls: .byCaller)
  }

  private func container(of presentation: UIPresentationController) -> UIView {
    let container = presentation.containerView ?? UIView(frame: bounds)
    presentation.containerView = container
    if container.superview !== self { UIView.move(container, to: self, at: nil, calls: .byCaller) }
    return container
  }

  override func sizeDidChange(from oldSize: CGSize) {
    super.sizeDidChange(from: oldSize)
    guard let rootStorage else { return }
    for controller in [rootStorage] + rootStorage.presentedStack {
      guard let view = controller.viewIfLoaded, view.window === self else { continue }
      if controller.presenterStorage != nil {
        controller.presentationController?.containerView?.frame = bounds
      }
      view.frame = bounds
    }
  }
}

extension UIViewController {
  /// Disappears without leaving the window.
  fileprivate func hide() {
    beginAppearance(false, animated: false)
    endAppearance()
  }
}
