#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// A tab bar controller that shows the selected tab of a navigation tree.
  ///
  /// A tab is a controller and not an index, because the user and other code can reorder and add
  /// controllers.
  @MainActor
  final class FollowedTabs<Route: Hashable & Sendable> {
    private struct Tab {
      weak var controller: UIViewController?
    }

    private weak var controller: UITabBarController?
    /// The controllers of the tabs, in the order of the tree.
    private let tabs: [Tab]
    /// Receives the index of a tab that the user or other code has selected.
    var onSelect: @MainActor (Int) -> Void = { _ in }
    /// The delegate of the tab bar controller, which does not keep it.
    private var delegate: (any UITabBarControllerDelegate)?
    /// The index that this object has shown or reported last.
    private var shown: Int

    init(_ controller: UITabBarController, selected: Int) {
      self.controller = controller
      tabs = (controller.viewControllers ?? []).map { Tab(controller: $0) }
      shown = selected
      takePlace(in: controller)
      show(selected, in: controller)
    }

    /// The index of the tab that is shown. `nil` for a controller that is no tab of the tree, and
    /// for the list of further tabs, "More".
    var selectedIndex: Int? {
      guard let selected = controller?.selectedViewController else { return nil }
      return tabs.firstIndex { $0.controller === selected }
    }

    /// Selects the tab of the tree, unless other code has selected a tab since the last update, and
    /// the tree is unchanged.
    func update(selected: Int) {
      guard let controller else { return }
      takePlace(in: controller)
      if selected == shown, selectedIndex != shown { return takeOver() }
      shown = selected
      show(selected, in: controller)
    }

    private func show(_ index: Int, in controller: UITabBarController) {
      guard selectedIndex != index, let tab = tabs[index].controller else { return }
      controller.selectedViewController = tab
    }

    /// Also called for a tap on the selected tab: the tree may have selected another one since.
    private func takeOver() {
      guard let selectedIndex else { return }
      shown = selectedIndex
      onSelect(selectedIndex)
    }

    /// Installs a delegate, in front of the delegate that other code has set.
    private func takePlace(in controller: UITabBarController) {
      if let delegate, controller.delegate === delegate { return }
      let calls = ForwardedTabCalls(to: controller.delegate) { [weak self] _ in self?.takeOver() }
      delegate = calls.makeDelegate()
      controller.delegate = delegate
    }
  }
#endif
