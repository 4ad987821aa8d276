/// A handle that finishes or cancels a change of size.
///
/// When a caller receives the handle, the change has begun: the screens' `willTransition` hooks and
/// the alongside actions have run.
///
/// - Isolation: The main actor. The last reference may be released on any thread.
/// - Cancellation: The change is cancelled if the screen ends or a parent is announced to it before
///   the change has ended. If the last reference is released before the change has ended, the
///   change is cancelled, too. The completions then run soon after the release, in a task on the
///   main actor. Until then, a new change of size throws ``ScreenHostError/transitionInProgress``.
@MainActor
public final class ScreenSizeTransition {
  private let coordinator: ScreenTransitionCoordinator
  private weak var host: ScreenHost?
  /// Whether the caller has ended the change. If so, the release of the handle cancels nothing.
  private var isEnded = false

  init(of host: ScreenHost, with coordinator: ScreenTransitionCoordinator) {
    self.host = host
    self.coordinator = coordinator
  }

  /// Lays the screens out in the new size, then runs the completions.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` if the change is already finished or cancelled,
  ///   or if its host has ended or was deallocated.
  public func finish() throws(ScreenHostError) {
    let host = try hostOfChange()
    host.sizeChange = nil
    host.apply(coordinator.size)
    coordinator.end(cancelled: false)
  }

  /// Keeps the old size, then runs the completions with ``ScreenTransitionCoordinator/isCancelled``
  /// set.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` if the change is already finished or cancelled,
  ///   or if its host has ended or was deallocated.
  public func cancel() throws(ScreenHostError) { try hostOfChange().cancel(coordinator) }

  private func hostOfChange() throws(ScreenHostError) -> ScreenHost {
    isEnded = true
    guard let host, host.sizeChange === coordinator else { throw .transitionEnded }
    return host
  }

  deinit {
    guard !isEnded else { return }
    // In a task: the release may be on another thread, or in a hook that the completions must not
    // interrupt.
    Task { @MainActor [weak host, coordinator] in host?.cancel(coordinator) }
  }
}

/// Collects the actions that screens run alongside a change of size, and the completions that they
/// run after the change.
///
/// - Isolation: The main actor.
/// - Ordering: First the alongside actions run, then the layout in the new size, then the
///   completions. Actions and completions run in the order in which they were added, each at most
///   once. Exception: an action that an alongside action adds runs at once. If the change is
///   cancelled before all alongside actions have run, the remaining ones do not run. If the host is
///   deallocated before the change ends, the completions do not run.
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
