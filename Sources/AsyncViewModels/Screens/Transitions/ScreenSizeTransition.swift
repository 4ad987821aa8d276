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
