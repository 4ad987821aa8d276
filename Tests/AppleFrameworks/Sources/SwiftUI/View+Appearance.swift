extension View {
  /// https://developer.apple.com/documentation/swiftui/view/onappear(perform:)
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appear: action, disappear: nil))
  }

  /// https://developer.apple.com/documentation/swiftui/view/ondisappear(perform:)
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appear: nil, disappear: action))
  }
}

private struct AppearanceModifier {
  let appear: (() -> Void)?
  let disappear: (() -> Void)?
}

extension AppearanceModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    node.effect(create: AppearanceEffect.init).modifier = self
    return [Child(content)]
  }
}

private final class AppearanceEffect: Effect {
  var modifier: AppearanceModifier?

  override func appear() { modifier?.appear?() }
  override func disappear() { modifier?.disappear?() }
}
