/// Who calls the appearance callbacks when a view moves into or out of a window.
enum AppearanceCalls {
  /// This move, for the controllers that get their calls automatically.
  case automatic
  /// The caller of this move: a window, a navigation controller or a presentation.
  case byCaller
}

extension UIView {
  /// Moves a view to a superview, or removes it if there is no superview.
  ///
  /// - Parameter index: The index in the new superview, or `nil` for the front.
  static func move(
    _ view: UIView, to newSuperview: UIView?, at index: Int?, calls: AppearanceCalls = .automatic
  ) {
    let oldSuperview = view.superview
    if oldSuperview === newSuperview {
      newSuperview?.reorder(view, to: index)
      return
    }
    if let newSuperview {
      precondition(!newSuperview.isDescendant(of: view), "A view cannot contain itself.")
      if calls == .automatic { view.checkControllerHierarchy(under: newSuperview) }
      if let oldWindow = view.window, let newWindow = newSuperview.window, oldWindow !== newWindow {
        move(view, to: nil, at: nil, calls: calls)
        move(view, to: newSuperview, at: index, calls: calls)
        return
      }
    }

    let newWindow = newSuperview?.window
    let changesWindow = view.window !== newWindow
    let controllers = calls == .automatic && changesWindow ? view.outermostControllers : []
    let leaving = newWindow == nil ? controllers.filter { $0.disappearsAutomatically } : []
    let entering = newWindow == nil ? [] : controllers.filter { $0.appearsAutomatically(in: newWindow) }
    for controller in leaving { controller.beginAutomaticAppearance(false) }
    for controller in entering { controller.beginAutomaticAppearance(true) }

    if changesWindow { view.tellWillMove(toWindow: newWindow) }
    view.willMove(toSuperview: newSuperview)
    view.detach()
    newSuperview?.attach(view, at: index)
    if changesWindow { view.tellDidMoveToWindow() }
    view.didMoveToSuperview()

    for controller in leaving {
      // Only begins if a callback has made the controller appear again.
      controller.beginAutomaticAppearance(false)
      controller.endAppearance()
    }
    for controller in entering { controller.endAutomaticAppearance() }
  }

  private func reorder(_ view: UIView, to index: Int?) {
    subviewStorage.removeAll { $0 === view }
    subviewStorage.insert(view, at: min(index ?? subviewStorage.count, subviewStorage.count))
  }

  private func detach() {
    guard let superview else { return }
    superview.subviewStorage.removeAll { $0 === self }
    superviewStorage = nil
    superview.setNeedsLayout()
  }

  private func attach(_ view: UIView, at index: Int?) {
    view.superviewStorage = self
    reorder(view, to: index)
    setNeedsLayout()
  }

  private func tellWillMove(toWindow newWindow: UIWindow?) {
    willMove(toWindow: newWindow)
    for subview in subviews { subview.tellWillMove(toWindow: newWindow) }
  }

  private func tellDidMoveToWindow() {
    if let window {
      setNeedsLayout()
      viewController?.update(to: window.traits)
    }
    didMoveToWindow()
    for subview in subviews { subview.tellDidMoveToWindow() }
  }

  /// The controllers of this view tree whose views are not inside the view of another one of its controllers.
  private var outermostControllers: [UIViewController] {
    if let viewController { return [viewController] }
    return subviews.flatMap { $0.outermostControllers }
  }

  /// The controller of this view, or of the nearest superview that has a controller.
  var nearestController: UIViewController? { viewController ?? superview?.nearestController }

  /// Stops the process if the view of a child controller gets into the view of another controller than the
  /// parent, for which UIKit raises an exception. A controller without a parent may be anywhere.
  private func checkControllerHierarchy(under newSuperview: UIView) {
    guard let child = viewController, let parent = child.parent else { return }
    let nearest = newSuperview.nearestController
    guard nearest != nil || newSuperview.window != nil else { return }
    precondition(
      nearest === parent,
      "Inconsistent hierarchy: The view of \(type(of: child)), a child of \(type(of: parent)), was added to "
        + "the view of \(nearest.map { "\(type(of: $0))" } ?? "no controller").")
  }
}
