/// A change of size that has begun: the handle of whoever drives the host. The screens have been told, and what goes alongside
/// has run.
///
/// - Isolation: the main actor.
@MainActor
public final class SizeTransition {
  private let coordinator: TransitionCoordinator
  private weak var host: ScreenHost?
  private var isEnded = false

  init(of host: ScreenHost, with coordinator: TransitionCoordinator) {
    self.host = host
    self.coordinator = coordinator
  }

  /// Lays the screens out in the new size, then runs the completions.
  ///
  /// - Throws: ``ScreenError/transitionEnded`` when it was finished or cancelled before, or its host has ended.
  public func finish() throws(ScreenError) {
    try leave()
    host?.apply(coordinator.size)
    coordinator.end(cancelled: false)
  }

  /// Leaves the size as it was, then runs the completions, which see that it was cancelled.
  ///
  /// - Throws: ``ScreenError/transitionEnded`` when it was finished or cancelled before, or its host has ended.
  public func cancel() throws(ScreenError) {
    try leave()
    coordinator.end(cancelled: true)
  }

  private func leave() throws(ScreenError) {
    guard !isEnded else { throw .transitionEnded }
    isEnded = true
    host?.sizeTransition = nil
  }
}
