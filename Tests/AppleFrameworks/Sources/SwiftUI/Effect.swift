/// The part of a modifier that lives as long as the identity of its view.
@MainActor
class Effect {
  weak let node: Node?

  init(_ node: Node) { self.node = node }

  func appear() {}
  func disappear() {}
  func end() {}

  /// Closes a sheet, or a screen of a navigation stack and the screens on it.
  func dismiss(_ screen: ScreenPosition?) {}
}
