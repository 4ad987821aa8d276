/// A change of size that has begun: the handle of whoever drives the host. The screens have been told, and what goes alongside
/// has run.
///
/// - Isolation: the main actor.
@MainActor
public final class ScreenSizeTransition {
  private let coordinator: ScreenTransitionCoordinator
  private weak var host: ScreenHost?
  private var isEnded = false

  init(of host: ScreenHost, with coordinator: ScreenTransitionCoordinator) {
    self.host = host
    self.coordinator = coordinator
  }

  /// Lays the screens out in the new size, then runs the completions.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` when it was finished or cancelled before, or its host has ended.
  public func finish() throws(ScreenHostError) {
    try leave()
    host?.apply(coordinator.size)
    coordinator.end(cancelled: false)
  }

  /// Leaves the size as it was, then runs the completions, which see that it was cancelled.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` when it was finished or cancelled before, or its host has ended.
  public func cancel() throws(ScreenHostError) {
    try leave()
    coordinator.end(cancelled: true)
  }

  private func leave() throws(ScreenHostError) {
    guard !isEnded else { throw .transitionEnded }
    isEnded = true
    host?.sizeTransition = nil
  }
}

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
