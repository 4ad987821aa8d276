#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// A tab bar controller that shows the selected tab of a navigation tree.
  @MainActor
  final class FollowedTabs<Route: Hashable & Sendable> {
    private weak var controller: UITabBarController?
    /// Receives the index of a tab that the user or other code has selected.
    var onSelect: @MainActor (Int) -> Void = { _ in }
    /// The delegate of the tab bar controller, which does not keep it.
    private var delegate: (any UITabBarControllerDelegate)?
    /// The index that this object has shown or reported last.
    private var shown: Int

    init(_ controller: UITabBarController, selected: Int) {
      self.controller = controller
      shown = selected
      takePlace(in: controller)
      controller.selectedIndex = selected
    }

    /// The index of the tab that is shown.
    var selectedIndex: Int? { controller?.selectedIndex }

    /// Selects the tab of the tree, unless other code has selected a tab since the last update, and
    /// the tree is unchanged.
    func update(selected: Int) {
      guard let controller else { return }
      takePlace(in: controller)
      if selected == shown, controller.selectedIndex != shown { return takeOver(from: controller) }
      shown = selected
      if controller.selectedIndex != selected { controller.selectedIndex = selected }
    }

    /// Also called for a tap on the selected tab: the tree may have selected another one since.
    private func takeOver(from controller: UITabBarController) {
      // The list of further tabs, "More", has no index.
      guard controller.viewControllers?.indices.contains(controller.selectedIndex) == true else { return }
      shown = controller.selectedIndex
      onSelect(shown)
    }

    /// Installs a delegate, in front of the delegate that other code has set.
    private func takePlace(in controller: UITabBarController) {
      if let delegate, controller.delegate === delegate { return }
      let calls = ForwardedTabCalls(to: controller.delegate) { [weak self] in self?.takeOver(from: $0) }
      delegate = calls.makeDelegate()
      controller.delegate = delegate
    }
  }
#endif
