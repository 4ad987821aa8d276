/// A pop that a person has begun and may still call off. Where the stack leaves the display before that, it is cancelled.
///
/// - Isolation: the main actor.
@MainActor
public final class ScreenPopTransition {
  /// The screen on its way out.
  public let from: ScreenHost
  /// The screen on its way in.
  public let to: ScreenHost

  private weak var container: NavigationScreenContainer?

  init(of container: NavigationScreenContainer, from: ScreenHost, to: ScreenHost) {
    self.container = container
    self.from = from
    self.to = to
  }

  /// Completes the pop.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` when it was finished or cancelled before.
  public func finish() throws(ScreenHostError) { try leave().finish(self) }

  /// Takes the pop back: the screen below disappears again, then the top one appears again.
  ///
  /// - Throws: ``ScreenHostError/transitionEnded`` when it was finished or cancelled before.
  public func cancel() throws(ScreenHostError) { try leave().cancel(self) }

  private func leave() throws(ScreenHostError) -> NavigationScreenContainer {
    guard let container, container.transition === self else { throw .transitionEnded }
    container.transition = nil
    return container
  }
}
