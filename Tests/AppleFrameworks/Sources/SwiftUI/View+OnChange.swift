extension View {
  /// https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)-4psgg
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    modifier(ChangeModifier(value: value, initial: initial, action: action))
  }

  /// https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    modifier(ChangeModifier(value: value, initial: initial) { _, _ in action() })
  }
}

private struct ChangeModifier<Value: Equatable> {
  let value: Value
  let initial: Bool
  let action: (Value, Value) -> Void
}

extension ChangeModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    node.effect(create: ChangeEffect<Value>.init).modifier = self
    return [Child(content)]
  }
}

private final class ChangeEffect<Value: Equatable>: Effect {
  private var isFirstAppearance = true

  var modifier: ChangeModifier<Value>? {
    didSet {
      guard let modifier, let oldValue, oldValue.value != modifier.value else { return }
      node?.host?.performAfterEvaluation { modifier.action(oldValue.value, modifier.value) }
    }
  }

  override func appear() {
    defer { isFirstAppearance = false }
    guard isFirstAppearance, let modifier, modifier.initial else { return }
    modifier.action(modifier.value, modifier.value)
  }
}
