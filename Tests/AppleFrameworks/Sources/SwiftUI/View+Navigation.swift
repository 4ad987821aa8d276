extension View {
  /// https://developer.apple.com/documentation/swiftui/view/navigationdestination(for:destination:)
  nonisolated public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    modifier(DestinationModifier(destination: destination))
  }

  /// https://developer.apple.com/documentation/swiftui/view/navigationtitle(_:)-5di1u
  nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
    modifier(TitleModifier(title: String(title)))
  }
}

private struct DestinationModifier<D: Hashable, C: View> {
  let destination: (D) -> C
}

extension DestinationModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    node.effect(create: DestinationEffect.init).register(D.self) { value in
      guard let value = value as? D else { fatalError("\(value) is no \(D.self)") }
      return destination(value)
    }
    return [Child(content)]
  }
}

private final class DestinationEffect: Effect {
  private weak var stack: StackEffect?

  func register(_ type: Any.Type, view: @escaping (Any) -> any View) {
    guard let node, let stack = node.enclosing(StackEffect.self) else {
      fatalError("navigationDestination(for: \(type).self) is not inside a NavigationStack")
    }
    self.stack = stack
    stack.setDestination(StackEffect.Destination(owner: node.number, view: view), for: type)
  }

  override func end() { if let node { stack?.removeDestination(of: node.number) } }
}

private struct TitleModifier {
  let title: String
}

extension TitleModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    node.element = .navigationTitle(title)
    return [Child(content)]
  }
}
