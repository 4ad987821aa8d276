/// What a step of the life cycle calls on the screen, as a value.
public enum ScreenHook: Hashable, Sendable {
  case didLoad
  case willAppear(animated: Bool)
  case didAppear(animated: Bool)
  case willDisappear(animated: Bool)
  case didDisappear(animated: Bool)
  case didLayout(ViewportSize)
}
