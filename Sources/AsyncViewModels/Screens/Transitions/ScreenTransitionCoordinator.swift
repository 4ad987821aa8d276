/// Goes with one change of size, through all the screens that it concerns: what should happen along with it, and afterwards.
///
/// - Ordering: first what goes alongside, in the order in which it was given; then the layout in the new size; then the
///   completions, in the order in which they were given. Each of them once.
/// - Isolation: the main actor.
@MainActor
public final class ScreenTransitionCoordinator {
  public typealias Action = @MainActor (ScreenTransitionCoordinator) -> Void

  private enum Stage { case preparing, running, ended }

  /// The size that the whole change leads to; a child may get a part of it.
  public let size: ViewportSize
  public let isAnimated: Bool
  /// Whether the change was called off: to be asked by completions.
  public private(set) var isCancelled = false

  private var stage = Stage.preparing
  private var alongside: [Action] = []
  private var completions: [Action] = []

  init(size: ViewportSize, isAnimated: Bool) {
    self.size = size
    self.isAnimated = isAnimated
  }

  /// Takes on what goes with the change, and what follows it. While the change is running, what goes with it runs at once.
  ///
  /// - Returns: `false` when the change has ended, and neither will run.
  @discardableResult
  public func animate(alongside action: Action? = nil, completion: Action? = nil) -> Bool {
    guard stage != .ended else { return false }
    if let completion { completions.append(completion) }
    if let action {
      if stage == .running { action(self) } else { alongside.append(action) }
    }
    return true
  }

  func run() {
    stage = .running
    let actions = alongside
    alongside = []
    for action in actions { action(self) }
  }

  func end(cancelled: Bool) {
    stage = .ended
    isCancelled = cancelled
    let actions = completions
    completions = []
    for action in actions { action(self) }
  }
}
