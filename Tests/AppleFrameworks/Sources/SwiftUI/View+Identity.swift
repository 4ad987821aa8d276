extension View {
  /// https://developer.apple.com/documentation/swiftui/view/id(_:)
  nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { modifier(IdentityModifier(id: id)) }
}

private struct IdentityModifier<ID: Hashable> {
  let id: ID
}

extension IdentityModifier: PrimitiveModifier {
  typealias Body = Never
  func children(of node: Node, content: any View) -> [Child] { [Child(content, at: id)] }
}
