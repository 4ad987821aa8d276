/// Screens side by side, of which the selected one is shown. A tab is loaded when it is selected for the first time.
///
/// Selecting B while A is shown: B `didLoad`, `willAppear` · A `willDisappear`, `didDisappear` · B `didAppear`.
///
/// - Promises: a tab that was left stays loaded, and bound. Off display a selection changes what will be shown.
/// - Isolation: the main actor.
/// - Re-entrancy: while tabs are on their way, a selection is refused with ``ScreenHostError/transitionInProgress``. From
///   `didAppear` on, a screen may select another.
@MainActor
public final class TabScreenContainer: HostedScreen {
  /// In the order of the tabs; never empty.
  public let tabs: [ScreenHost]
  public private(set) var selectedIndex: Int

  private weak var host: ScreenHost?
  private var isMoving = false

  /// - Throws: ``ScreenHostError/noSuchTab(_:count:)`` where `selected` is none of them, ``ScreenHostError/duplicateScreen``.
  public init(_ tabs: [ScreenHost], selected: Int = 0) throws(ScreenHostError) {
    guard tabs.indices.contains(selected) else { throw .noSuchTab(selected, count: tabs.count) }
    guard Set(tabs.map(ObjectIdentifier.init)).count == tabs.count else { throw .duplicateScreen }
    self.tabs = tabs
    selectedIndex = selected
  }

  public var selected: ScreenHost { tabs[selectedIndex] }

  /// Shows another tab. Where it is selected already, nothing happens.
  ///
  /// - Throws: ``ScreenHostError/noSuchTab(_:count:)``, ``ScreenHostError/transitionInProgress``.
  public func select(_ index: Int, animated: Bool = false) throws(ScreenHostError) {
    guard tabs.indices.contains(index) else { throw .noSuchTab(index, count: tabs.count) }
    guard !isMoving else { throw .transitionInProgress }
    guard index != selectedIndex else { return }
    let (old, new) = (selected, tabs[index])
    selectedIndex = index
    guard host != nil else { return }
    isMoving = true
    new.loadWithParent()
    new.beginEntering(animated: animated)
    old.beginLeaving(animated: animated)
    old.endLeaving()
    isMoving = false
    new.endEntering(animated: animated)
  }

  public func didLoad(in host: ScreenHost) {
    self.host = host
    for tab in tabs { host.contain(tab, shown: tab === selected) }
  }
}
