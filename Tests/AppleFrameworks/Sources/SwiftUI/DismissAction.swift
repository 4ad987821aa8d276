/// https://developer.apple.com/documentation/swiftui/dismissaction
public struct DismissAction: @unchecked Sendable {
  private weak let effect: Effect?
  /// Only read on the main actor.
  private let screen: ScreenPosition?

  init(_ effect: Effect? = nil, screen: ScreenPosition? = nil) {
    self.effect = effect
    self.screen = screen
  }

  @MainActor @preconcurrency
  public func callAsFunction() { effect?.dismiss(screen) }
}

extension EnvironmentValues {
  /// https://developer.apple.com/documentation/swiftui/environmentvalues/dismiss
  ///
  /// Closes the sheet or the destination of a navigation stack that contains the view, if any.
  public internal(set) var dismiss: DismissAction {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  private enum DismissKey: EnvironmentKey {
    static var defaultValue: DismissAction { DismissAction() }
  }
}
