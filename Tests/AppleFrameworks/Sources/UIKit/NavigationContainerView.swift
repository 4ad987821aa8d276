import Foundation

/// The view of a navigation controller. The view of the top controller fills it.
@MainActor
final class NavigationContainerView: UIView {
  weak var navigationController: UINavigationController?

  override func sizeDidChange(from oldSize: CGSize) {
    super.sizeDidChange(from: oldSize)
    for subview in subviews { subview.frame = bounds }
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    if window != nil { navigationController?.installTop() }
  }
}
