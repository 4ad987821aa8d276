/// Collects the actions that screens run alongside a change of size, and the completions that they
/// run after the change.
///
/// ```swift
/// func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
///   coordinator.animate { [weak self] in self?.layOut(in: $0.size) }
/// }
/// ```
///
/// First the alongside actions run, then the layout in the new size, then the completions, each in
/// the order in which they were added, at most once.
///
/// | event | effect |
/// | --- | --- |
/// | an alongside action adds an action | It runs at once. |
/// | the change is cancelled | The alongside actions that have not run do not run. The completions run. |
/// | the host is deallocated before the change ends | The completions do not run. |
///
/// - Isolation: The main actor.
@MainActor
public final class ScreenTransitionCoordinator {
  /// An action that receives the coordinator of its change of size.
  public typealias Action = @MainActor (ScreenTransitionCoordinator) -> Void

  private enum Stage { case preparing, running, ended }

  /// The new size of the root. The size of a child may be smaller.
  public let size: ViewportSize
  /// Whether the change is animated.
  public let isAnimated: Bool
  /// Whether the change was cancelled. The value is final when the completions run.
  public private(set) var isCancelled = false

  private var stage = Stage.preparing
  private var alongside: [Action] = []
  private var completions: [Action] = []

  init(size: ViewportSize, isAnimated: Bool) {
    self.size = size
    self.isAnimated = isAnimated
  }

  /// Adds an action that runs alongside the change, and a completion that runs after it.
  ///
  /// If the alongside actions are running or have run, `action` runs at once.
  ///
  /// - Returns: `false` if the change has ended. In this case, neither `action` nor `completion`
  ///   runs.
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
    // A hook or an action may end the screen, which ends the change.
    guard stage == .preparing else { return }
    stage = .running
    let actions = alongside
    alongside = []
    for action in actions where stage == .running { action(self) }
  }

  func end(cancelled: Bool) {
    stage = .ended
    alongside = []
    isCancelled = cancelled
    let actions = completions
    completions = []
    for action in actions { action(self) }
  }
}
