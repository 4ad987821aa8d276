/// Shows a list and its detail side by side or, while collapsed, only one of the two.
///
/// The container does not collapse by itself: call ``collapse(onto:animated:)`` and
/// ``expand(animated:)``, for example when the width changes.
///
/// The screen of a hidden column stays loaded, and its bindings continue. The screen of a column
/// that was never shown is not loaded.
///
/// - Isolation: The main actor.
/// - Ordering: Collapsing hides one column, and expanding shows the hidden column. The other column
///   only changes its size. A switch of columns while collapsed calls the hooks in this order: old
///   `willDisappear` · new `willAppear` · old `didDisappear` · new `didAppear`.
/// - Reentrancy: During a change and during the load of the container, further changes throw
///   ``ScreenHostError/transitionInProgress``. A screen may change the columns in its `didAppear`.
///   Exception: during ``replaceSecondary(with:animated:)``, changes throw until that call returns.
/// - Load: A screen that has got another parent, or that was shown or has ended, before the
///   container loads is not shown.
@MainActor
public final class SplitScreenContainer: HostedScreen {
  /// A column of the container.
  public enum Column: Hashable, Sendable {
    /// The column of the list.
    case primary
    /// The column of the detail.
    case secondary
  }

  /// The screen in the primary column.
  public let primary: ScreenHost
  /// The screen in the secondary column.
  public private(set) var secondary: ScreenHost
  /// The only column that is shown, or `nil` if both are shown.
  public private(set) var collapsedColumn: Column?

  private let primaryFraction: Double
  private weak var host: ScreenHost?

  /// Creates a container with two columns.
  ///
  /// - Parameters:
  ///   - primary: The screen in the primary column.
  ///   - secondary: The screen in the secondary column.
  ///   - column: The only column to show, or `nil` to show both.
  ///   - primaryFraction: The fraction of the width that the primary column gets, from 0 to 1.
  /// - Precondition: `primary` and `secondary` are different, and `primaryFraction` is from 0 to 1.
  public init(
    primary: ScreenHost, secondary: ScreenHost, collapsedOnto column: Column? = nil,
    primaryFraction: Double = 0.375
  ) {
    guard primary !== secondary else {
      fatalError("SplitScreenContainer: both columns have the same screen")
    }
    guard (0...1).contains(primaryFraction) else {
      fatalError("SplitScreenContainer: primaryFraction is \(primaryFraction), not from 0 to 1")
    }
    self.primary = primary
    self.secondary = secondary
    self.primaryFraction = primaryFraction
    collapsedColumn = column
  }

  /// Whether only one column is shown.
  public var isCollapsed: Bool { collapsedColumn != nil }

  /// Returns the screen in a column.
  public func screen(in column: Column) -> ScreenHost {
    switch column {
    case .primary: primary
    case .secondary: secondary
    }
  }

  /// Returns whether the container shows this column while the container itself is on display.
  public func isShown(_ column: Column) -> Bool {
    collapsedColumn == nil || collapsedColumn == column
  }

  /// Shows only this column, and hides the other column if it is shown.
  ///
  /// - Throws: ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``.
  public func collapse(onto column: Column, animated: Bool = false) throws(ScreenHostError) {
    try move(to: column, animated: animated)
  }

  /// Shows both columns.
  ///
  /// - Throws: ``ScreenHostError/transitionInProgress``, ``ScreenHostError/ended``.
  public func expand(animated: Bool = false) throws(ScreenHostError) {
    try move(to: nil, animated: animated)
  }

  /// Replaces the screen in the secondary column.
  ///
  /// The container takes all steps of removing the old screen, then all steps of adding the new
  /// screen. During this call, no hook can show, end or move the new screen.
  ///
  /// - Returns: The host of the old screen. The host no longer has a parent. Releasing the host
  ///   ends the screen's bindings.
  /// - Throws: ``ScreenHostError/duplicateScreen``, ``ScreenHostError/transitionInProgress``, or
  ///   the errors of ``ScreenHost/willMove(to:)``.
  @discardableResult
  public func replaceSecondary(
    with screen: ScreenHost, animated: Bool = false
  ) throws(ScreenHostError) -> ScreenHost {
    try host?.checkCanMoveChildren()
    guard screen !== primary, screen !== secondary else { throw .duplicateScreen }
    // Before the load, the container does not know its host, so this check compares screens instead
    // of hosts.
    guard screen.screen !== self else { throw .containsItself }
    let old = secondary
    if let host {
      try host.whileMovingChildren { () throws(ScreenHostError) in
        try host.replace([old], with: screen, shown: isShown(.secondary), animated: animated) {
          secondary = screen
        }
      }
    } else {
      try screen.checkIsFree()
      secondary = screen
    }
    return old
  }

  /// Adds both columns to the container's host.
  public func didLoad(in host: ScreenHost) {
    self.host = host
    host.contain([primary, secondary]) { isShown($0 === primary ? .primary : .secondary) }
  }

  /// Returns the size of the screen in a column: the column's fraction of the width, or all of
  /// `size` while collapsed.
  public func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize {
    guard !isCollapsed else { return size }
    let primaryWidth = size.width * primaryFraction
    let width = child === primary ? primaryWidth : size.width - primaryWidth
    return ViewportSize(width: width, height: size.height)
  }

  private func move(to column: Column?, animated: Bool) throws(ScreenHostError) {
    try host?.checkCanMoveChildren()
    guard column != collapsedColumn else { return }
    let columns: [Column] = [.primary, .secondary]
    let before = columns.filter(isShown)
    collapsedColumn = column
    guard let host else { return }
    let after = columns.filter(isShown)
    let leaving = before.filter { !after.contains($0) }.map(screen)
    let entering = after.filter { !before.contains($0) }.map(screen)

    host.whileMovingChildren {
      for screen in entering { screen.loadWithParent() }
      for screen in leaving { screen.beginLeaving(animated: animated) }
      for column in after where before.contains(column) { host.resize(screen(in: column)) }
      for screen in entering { screen.beginEntering(animated: animated) }
      for screen in leaving { screen.endLeaving() }
    }
    for screen in entering { screen.endEntering(animated: animated) }
  }
}
