/// A list and its detail: beside each other, or, where there is no room, one at a time.
///
/// - Ordering: to collapse hides one column, to expand shows it; the other one notices nothing but its size. Switching between
///   them while collapsed: old `willDisappear` · new `willAppear` · old `didDisappear` · new `didAppear`.
/// - Promises: a column that is hidden stays loaded, and bound. One that was never shown is not loaded.
/// - Isolation: the main actor.
/// - Re-entrancy: as ``TabScreenContainer`` has it.
@MainActor
public final class SplitScreenContainer: HostedScreen {
  public enum Column: Hashable, Sendable { case primary, secondary }

  public let primary: ScreenHost
  public private(set) var secondary: ScreenHost
  /// The only column that is shown, or `nil` while both are.
  public private(set) var collapsedColumn: Column?

  private let primaryFraction: Double
  private weak var host: ScreenHost?
  private var isMoving = false

  /// - Parameters:
  ///   - collapsedOnto: the only column to show, or `nil` for both.
  ///   - primaryFraction: the part of the width that the primary column gets, from 0 to 1.
  public init(
    primary: ScreenHost, secondary: ScreenHost, collapsedOnto column: Column? = nil,
    primaryFraction: Double = 0.375
  ) {
    guard primary !== secondary else {
      fatalError("SplitScreenContainer: the columns are one and the same screen")
    }
    guard (0...1).contains(primaryFraction) else {
      fatalError("SplitScreenContainer: \(primaryFraction) is not a part of the width")
    }
    self.primary = primary
    self.secondary = secondary
    self.primaryFraction = primaryFraction
    collapsedColumn = column
  }

  public var isCollapsed: Bool { collapsedColumn != nil }

  public func screen(in column: Column) -> ScreenHost {
    switch column {
    case .primary: primary
    case .secondary: secondary
    }
  }

  public func isShown(_ column: Column) -> Bool {
    collapsedColumn == nil || collapsedColumn == column
  }

  /// Shows one column only. While collapsed, this switches to it.
  ///
  /// - Throws: ``ScreenHostError/transitionInProgress``.
  public func collapse(onto column: Column, animated: Bool = false) throws(ScreenHostError) {
    try move(to: column, animated: animated)
  }

  /// Shows both columns.
  ///
  /// - Throws: ``ScreenHostError/transitionInProgress``.
  public func expand(animated: Bool = false) throws(ScreenHostError) {
    try move(to: nil, animated: animated)
  }

  /// Puts another screen into the secondary column: all steps of removing for the old one, then all steps of adding.
  ///
  /// - Returns: the old one, without a parent. It ends when nobody keeps it.
  /// - Throws: ``ScreenHostError/duplicateScreen``, ``ScreenHostError/transitionInProgress``, or as ``ScreenHost/willMove(to:)`` does.
  @discardableResult
  public func replaceSecondary(
    with screen: ScreenHost, animated: Bool = false
  ) throws(ScreenHostError) -> ScreenHost {
    guard !isMoving else { throw .transitionInProgress }
    guard screen !== primary, screen !== secondary else { throw .duplicateScreen }
    let old = secondary
    if let host {
      try screen.checkCanMove(to: host)
      isMoving = true
      defer { isMoving = false }
      try host.detach(old, animated: animated)
      secondary = screen
      try host.attach(screen, shown: isShown(.secondary), animated: animated)
    } else {
      try screen.checkIsFree()
      secondary = screen
    }
    return old
  }

  public func didLoad(in host: ScreenHost) {
    self.host = host
    host.contain(primary, shown: isShown(.primary))
    host.contain(secondary, shown: isShown(.secondary))
  }

  public func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize {
    guard !isCollapsed else { return size }
    let primaryWidth = size.width * primaryFraction
    let width = child === primary ? primaryWidth : size.width - primaryWidth
    return ViewportSize(width: width, height: size.height)
  }

  private func move(to column: Column?, animated: Bool) throws(ScreenHostError) {
    guard !isMoving else { throw .transitionInProgress }
    guard column != collapsedColumn else { return }
    let columns: [Column] = [.primary, .secondary]
    let before = columns.filter(isShown)
    collapsedColumn = column
    guard let host else { return }
    let after = columns.filter(isShown)
    let leaving = before.filter { !after.contains($0) }.map(screen)
    let entering = after.filter { !before.contains($0) }.map(screen)

    isMoving = true
    for screen in entering { screen.loadWithParent() }
    for screen in leaving { screen.beginLeaving(animated: animated) }
    for column in after where before.contains(column) { host.resize(screen(in: column)) }
    for screen in entering { screen.beginEntering(animated: animated) }
    for screen in leaving { screen.endLeaving() }
    isMoving = false
    for screen in entering { screen.endEntering(animated: animated) }
  }
}
