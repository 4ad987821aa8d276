/// Shows the screen of the selected tab.
///
/// ```swift
/// let tabs = try TabScreenContainer([ScreenHost(ListScreen(list)), ScreenHost(CartScreen(cart))])
/// try tabs.select(1)
/// ```
///
/// | event | effect |
/// | --- | --- |
/// | a tab is selected for the first time in a loaded container | Its screen is loaded, and stays loaded. |
/// | B is selected while A is shown | B `didLoad` (only the first time), `willAppear` · A `willDisappear`, `didDisappear` · B `didAppear`. |
/// | a tab is selected off display | No appearance hooks. |
/// | a hook selects a tab during a change of tabs, or during the load of the container | It gets ``ScreenHostError/transitionInProgress``, except in `didAppear`. |
/// | a tab got another parent, was shown or ended before the container loads | The container does not show it. |
///
/// - Isolation: The main actor.
@MainActor
public final class TabScreenContainer: HostedScreen {
  /// The screens in the order of the tabs. Never empty.
  public let tabs: [ScreenHost]
  /// The index of the selected tab.
  public private(set) var selectedIndex: Int

  private weak var host: ScreenHost?

  /// Creates a container with its tabs and the index of the selected tab.
  ///
  /// - Throws: ``ScreenHostError/noSuchTab(_:count:)`` if `selected` is not the index of a tab,
  ///   ``ScreenHostError/duplicateScreen`` if two tabs have the same screen, and
  ///   ``ScreenHostError/illegalContainment(from:to:)``, ``ScreenHostError/ended`` or
  ///   ``ScreenHostError/onDisplay(_:)`` if a tab has a parent, has ended or is on display.
  public convenience init(_ tabs: [ScreenHost], selected: Int = 0) throws(ScreenHostError) {
    guard tabs.indices.contains(selected) else { throw .noSuchTab(selected, count: tabs.count) }
    guard Set(tabs.map(ObjectIdentifier.init)).count == tabs.count else { throw .duplicateScreen }
    for tab in tabs { try tab.checkIsFree() }
    self.init(freeTabs: tabs, selected: selected)
  }

  init(freeTabs tabs: [ScreenHost], selected: Int) {
    self.tabs = tabs
    selectedIndex = selected
  }

  /// The screen of the selected tab.
  public var selected: ScreenHost { tabs[selectedIndex] }

  /// Selects a tab and shows its screen. Has no effect if the tab is already selected.
  ///
  /// - Throws: ``ScreenHostError/noSuchTab(_:count:)``, ``ScreenHostError/transitionInProgress``,
  ///   ``ScreenHostError/ended``.
  public func select(_ index: Int, animated: Bool = false) throws(ScreenHostError) {
    guard tabs.indices.contains(index) else { throw .noSuchTab(index, count: tabs.count) }
    try host?.checkCanMoveChildren()
    guard index != selectedIndex else { return }
    let (old, new) = (selected, tabs[index])
    selectedIndex = index
    guard let host else { return }
    host.whileMovingChildren {
      new.loadWithParent()
      new.beginEntering(animated: animated)
      old.beginLeaving(animated: animated)
      old.endLeaving()
    }
    new.endEntering(animated: animated)
  }

  /// Adds the tabs to the container's host.
  public func didLoad(in host: ScreenHost) {
    self.host = host
    host.contain(tabs) { $0 === selected }
  }
}
