extension UIView {
  /// Lays out this view and its subviews until none of them needs a layout.
  func layOutTree() {
    for _ in 0..<100 {
      if needsLayout { layOut() }
      for subview in subviews { subview.layOutTree() }
      if !treeNeedsLayout { return }
    }
    StandInConsole.warn("The layout of \(type(of: self)) does not come to an end.")
  }

  private var treeNeedsLayout: Bool { needsLayout || subviews.contains { $0.treeNeedsLayout } }

  private func layOut() {
    needsLayout = false
    let viewController = viewController
    viewController?.callViewIsAppearingIfNeeded()
    viewController?.viewWillLayoutSubviews()
    layoutSubviews()
    viewController?.viewDidLayoutSubviews()
  }
}
